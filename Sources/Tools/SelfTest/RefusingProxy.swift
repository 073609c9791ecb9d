internal import HTTP2
internal import POSIX
internal import Synchronization

/// A proxy on 127.0.0.1 that refuses the first request it gets, and keeps its first line.
struct RefusingProxy {
  let url: String
  private let heard = HeardLine()

  /// - Parameter milliseconds: how long it waits for a client, and then for what that says.
  /// - Returns: nil when it cannot listen.
  init?(milliseconds: Int) {
    guard let listener = try? Listener(), let socket = listener.duplicate() else { return nil }
    url = "http://127.0.0.1:\(listener.port)"
    let isStarted = Thread.start { [heard] in
      defer { close(socket) }
      guard waitForBytes(socket, milliseconds) else { return }
      let client = accept(socket, nil, nil)
      guard client >= 0 else { return }
      defer { close(client) }
      if waitForBytes(client, milliseconds) { heard.refuse(client) }
    }
    if !isStarted {
      close(socket)
      return nil
    }
  }

  /// What it was asked for; nil before.
  var request: String? { heard.line.withLock { $0 } }
}

private final class HeardLine: Sendable {
  let line = Mutex<String?>(nil)

  func refuse(_ client: Int32) {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = recv(client, &bytes, bytes.count, 0)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    line.withLock { $0 = text.split(whereSeparator: \.isNewline).first.map { String($0) } }
    let answer = Array("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n".utf8)
    _ = send(client, answer, answer.count, 0)
  }
}

private func waitForBytes(_ socket: Int32, _ milliseconds: Int) -> Bool {
  var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
  return poll(&waiting, 1, Int32(clamping: milliseconds)) > 0
}
