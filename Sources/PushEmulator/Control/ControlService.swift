internal import HTTP2
internal import JSONText
internal import Synchronization

/// Gives each client of the control channel a thread, as long as there are not too many. Further
/// ones are reset.
final class ControlService: Sendable {
  /// How many connections may be open.
  static let limit = 16
  private static let bufferSize = 4096

  private let context: ConnectionContext
  private let threads: ThreadGroup
  private let open = Mutex(0)

  init(_ context: ConnectionContext, _ threads: ThreadGroup) {
    self.context = context
    self.threads = threads
  }

  func take(_ socket: consuming AcceptedSocket) {
    guard enter() else { return socket.resetOnClose() }
    let isServed = threads.start(with: socket) { [context] socket in
      Self.serve(socket, context)
    } afterwards: { [self] in
      leave()
    }
    if !isServed { leave() }
  }

  /// Answers a client's lines until it goes, or the emulator stops.
  private static func serve(_ socket: borrowing AcceptedSocket, _ context: ConnectionContext) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)
    defer { buffer.deallocate() }
    var lines = ControlLines()
    var isFirst = true
    while !context.isStopped {
      let count = socket.receive(into: buffer, wake: context.stopSignal)
      if isFirst, count > 0, buffer.isRequestOfBrowser { return }
      isFirst = false
      let whole = lines.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      let all = count == 0 ? [lines.finish()].compactMap(\.self) : whole
      guard socket.send(answers(to: all, context), wake: context.stopSignal), count > 0 else {
        return
      }
    }
  }

  private static func answers(
    to lines: [ControlLines.Line], _ context: ConnectionContext
  ) -> [UInt8] {
    var json = JSONWriter()
    for line in lines { ControlAnswer(to: line, context).write(to: &json) }
    return json.bytes
  }

  private func enter() -> Bool {
    open.withLock { open in
      guard open < Self.limit else { return false }
      open += 1
      return true
    }
  }

  private func leave() { open.withLock { $0 -= 1 } }
}

extension UnsafeMutableRawBufferPointer {
  /// Whether what came first begins as a request of HTTP/1.1 does: a page in a browser must
  /// not give commands in the body of one.
  fileprivate var isRequestOfBrowser: Bool {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self[0]
  }
}
