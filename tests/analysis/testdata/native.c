/* Analysed, never compiled. */
