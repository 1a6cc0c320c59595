"""Tables larger than memory: how they are made, and what learning from them takes."""
