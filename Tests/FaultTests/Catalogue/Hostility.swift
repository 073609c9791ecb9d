import Testing

@testable import SendingSupport

extension FaultRow {
  /// Servers that mean harm.
  static let hostility = [
    FaultRow(
      24, "Floods of frames, endless and giant headers, and bytes that are no HTTP/2",
      "Leaves when the protocol is broken, or nothing was answered in time; keeps 16 KiB of headers",
      flood("PING flood", again: .frame(6, [UInt8](repeating: 7, count: 8)).times(500)),
      flood("SETTINGS flood", again: .frame(4, []).times(500)),
      flood(
        "CONTINUATION flood", start: .frame(1, stream: 1, header),
        again: .frame(9, stream: 1, header).times(100)),
      hostile(
        "giant headers",
        start: .frame(1, stream: 1, header) + .frame(9, stream: 1, header.times(300)).times(60)
          + .frame(9, flags: 4, stream: 1, header)),
      hostile("resets of streams that are not there", again: .frame(3, stream: 99, [0, 0, 0, 8])),
      hostile("no HTTP/2", start: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)))
  ]

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
    _ name: String, start: [UInt8] = [], again: [UInt8] = [], milliseconds: Int = 300,
    cause: String = "connectionLost"
  ) -> FaultCase {
    .run(.boundedEnd, name, fault: .elsewhere) { bench in
      let server = try HostileServer(start: start, again: again)
      bench.target = server.target
      bench.run.timeoutMilliseconds = milliseconds
      bench.books.causes = ["connectionLost", cause]
      try bench.send(300)
    }
  }
}
