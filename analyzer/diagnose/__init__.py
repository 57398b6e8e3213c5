"""From facts to ranked causes: rules over frames, what explains what, confidence, order, coverage."""
