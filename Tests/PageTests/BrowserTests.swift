import TestSupport
import Testing

@Suite("The browser of the tests")
struct BrowserTests {
  /// A driver that ends without a port until it has been started a number of times.
  private func withDriver(
    thatStartsAt attempt: Int, _ body: (String, TemporaryFolder) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let path = try folder.writeProgram(
        "driver",
        """
        #!/bin/sh
        echo x >>attempts
        if [ $(wc -l <attempts) -lt \(attempt) ]; then echo bind failed >&2; exit 1; fi
        echo ChromeDriver was started successfully on port 4711.
        """)
      try body(path, folder)
    }
  }

  @Test("is started again when its driver ends at once")
  func again() throws {
    try withDriver(thatStartsAt: 3) { path, folder in
      let (_, port) = try Browser.startDriver(path, in: folder)
      #expect(port == "4711")
    }
  }

  @Test("tells what a driver said that never starts")
  func never() throws {
    try withDriver(thatStartsAt: 99) { path, folder in
      let error = #expect(throws: BrowserError.self) { try Browser.startDriver(path, in: folder) }
      #expect(error?.message.contains("bind failed") == true)
    }
  }
}
