import SendingSupport
import Testing

extension FaultRow {
  /// Servers that mean harm.
  static let hostility = [
    FaultRow(
      24, "Floods of frames, endless and giant headers, and bytes that are no HTTP/2",
      "Leaves at once when HTTP/2 is broken, and names how; keeps 16 KiB of headers",
      flood("PING flood", again: .frame(6, [UInt8](repeating: 7, count: 8)).times(500)),
      flood("SETTINGS flood", again: .frame(4, []).times(500)),
      flood(
        "CONTINUATION flood", start: .frame(1, stream: 1, header),
        again: .frame(9, stream: 1, header).times(100)),
      hostile(
        "giant headers",
        start: .frame(1, stream: 1, header) + .frame(9, stream: 1, header.times(300)).times(60)
          + .frame(9, flags: 4, stream: 1, header)),
      broken("resets of streams that are not there", .frame(3, stream: 99, [0, 0, 0, 8])),
      broken("no HTTP/2", opening: [], webPage, cause: "SETTINGS expected"),
      broken("HTTP/1.1 after a good start", webPage, cause: "FRAME_SIZE_ERROR"),
      broken("a PING of seven bytes", .frame(6, .init(repeating: 7, count: 7))),
      broken(
        "a frame above the largest size", .frame(0, stream: 1, .init(repeating: 0, count: 16_385)),
        cause: "FRAME_SIZE_ERROR"),
      broken("a window that overflows", .frame(8, [0x7F, 0xFF, 0xFF, 0xFF])),
      broken("a thousand settings in a frame", .frame(4, [0, 3, 0, 0, 0, 9].times(1000))))
  ]

  private static let webPage = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)

  /// Bytes that break HTTP/2, again and again: whoever waits for a time-out, or reads until nothing
  /// comes any more, stays for an hour.
  private static func broken(
    _ name: String, opening: [UInt8] = HostileServer.settings, _ bytes: [UInt8],
    cause: String = "the server broke HTTP/2"
  ) -> FaultCase {
    hostile(
      name, opening: opening, again: bytes.times(65_536 / bytes.count), milliseconds: 3_600_000,
      cause: cause)
  }

  /// A literal field without indexing (RFC 7541 section 6.2.2).
  private static let header: [UInt8] =
    [0, 3] + Array("x-a".utf8) + [40] + [UInt8](repeating: 0x62, count: 40)

  /// Who does not see the flood waits for an hour.
  private static func flood(
    _ name: String, start: [UInt8] = [], again: [UInt8]
  ) -> FaultCase {
    hostile(name, start: start, again: again, milliseconds: 3_600_000, cause: "Flooding")
  }

  private static func hostile(
    _ name: String, opening: [UInt8] = HostileServer.settings, start: [UInt8] = [],
    again: [UInt8] = [], milliseconds: Int = 300, cause: String = "connectionLost"
  ) -> FaultCase {
    .run(.boundedEnd, name, fault: .elsewhere) { bench in
      let server = try HostileServer(start: opening + start, again: again)
      bench.target = server.target
      bench.run.timeoutMilliseconds = milliseconds
      bench.books.causes = ["connectionLost", cause]
      try bench.send(300)
    }
  }
}
