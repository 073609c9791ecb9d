#ifndef FANFARE_CSQLITE_SHIM_H
#define FANFARE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* sqlite3_db_config takes its arguments in a way that Swift cannot call. */
static inline int fanfare_sqlite_switch(sqlite3 *database, int option, int on) {
  return sqlite3_db_config(database, option, on, (int *)0);
}

#endif
