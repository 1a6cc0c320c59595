"""The steps of `RelationalModel`."""
