import Foundation
import Testing

@testable import fanfare

@Suite("Output")
struct OutputTests {
  @Test("to a pipe that does not wait loses nothing")
  func nonBlocking() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    let reader = Thread.reading(pipe.fileHandleForReading)
    let output = Output(descriptor: descriptor, environment: [:])
    output.write([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
    output.flush()
    try pipe.fileHandleForWriting.close()
    #expect(output.failure == nil)
    #expect(reader() == 1_000_000)
  }
}

extension Thread {
  /// Reads to the end on a thread of its own.
  ///
  /// - Returns: waits for the end, and tells how many bytes there were.
  fileprivate static func reading(_ handle: FileHandle) -> () -> Int {
    let done = DispatchSemaphore(value: 0)
    let count = Counted()
    detachNewThread {
      count.bytes = (try? handle.readToEnd())?.count ?? 0
      done.signal()
    }
    return {
      done.wait()
      return count.bytes
    }
  }

  /// Written before the semaphore is signalled, read after.
  private final class Counted: @unchecked Sendable { var bytes = 0 }
}
