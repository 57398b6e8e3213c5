"""Files that hold the outputs of several programs or nodes: how each is laid out, and the parts it falls into."""
