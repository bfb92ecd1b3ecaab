"""Pure functions: geometry in, quantity out. They judge nothing and know no ordinance."""
