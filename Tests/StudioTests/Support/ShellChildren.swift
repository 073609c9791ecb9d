import Foundation
import TestSupport
import Testing

@testable import Studio
@testable import WebServer

/// A shell in place of the program, and what tells of the changes of its children. It takes over as
/// its arguments the words that it is handed.
struct ShellChildren {
  private static let script =
    #"while IFS= read -r -d '' word; do set -- "$@" "$word"; done <&3; exec /bin/sh "$@" 3<&-"#
  let program = ChildProgram(path: "/bin/bash", arguments: ["-c", script, "sh"], options: [])
  let changes = Changes()

  /// Waits for changes until something holds.
  func wait(until isThere: () -> Bool) {
    while !isThere() {
      let change = DispatchSemaphore(value: 0)
      changes.call { change.signal() }
      if !isThere() { change.wait() }
    }
  }
}

/// Gives the path of a new pipe.
func withPipe(_ body: (String) throws -> Void) throws {
  try withTemporaryFolder { folder in
    let path = folder.file("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    try body(path)
  }
}
