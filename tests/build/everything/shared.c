int shared_value(void);

int shared_value(void) { return 8; }
