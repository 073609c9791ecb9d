#ifndef FANFARE_CSQLITE_SHIM_H
#define FANFARE_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
