"""What a member is: its format, its node, its segments and its clock."""
