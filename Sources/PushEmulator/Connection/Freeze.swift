/// How long a connection neither reads nor sends; nil milliseconds have no end.
struct Freeze { let milliseconds: Int? }
