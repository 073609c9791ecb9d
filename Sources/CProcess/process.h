#ifndef FANFARE_CPROCESS_H
#define FANFARE_CPROCESS_H

// How many arguments the process was started with, its own name included; 0 where the C library does
// not pass them to initializers.
int fanfare_argument_count(void);

// One of them, from 0.
const char *fanfare_argument(int index);

#endif
