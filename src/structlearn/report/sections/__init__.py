"""The sections of the page, one file each: `section(subject)` gives one, or None if it has nothing to say."""
