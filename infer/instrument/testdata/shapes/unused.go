package shapes

// A file without functions stays as it is.
const unused = 1
