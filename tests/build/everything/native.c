int native_value(void);

int native_value(void) { return 7; }
