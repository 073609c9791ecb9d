import APNS
import JSONText

extension FuzzTarget {
  /// The body of a refusal: read as any JSON would be, and what is written reads as it was.
  static let errorBody = FuzzTarget("ErrorBody") { bytes in
    let body = parse(bytes)
    if let json = try? JSONReader(depthLimit: 4).read(bytes), bytes.count <= ErrorBody.usualLimit {
      let reason = json["reason"]?.string.flatMap { Reason(escaping: $0) }
      let time = reason.flatMap { _ in json["timestamp"]?.number?.int.map(Int64.init) }
      try expect(body?.reason == reason, "the quick way and JSON agree on the reason")
      try expect(body?.timestamp == time, "the quick way and JSON agree on the time")
    }
    guard let body else { return }
    try expect(parse(body.bytes) == body, "what is written reads as it was", "\(body)")
    try expectPrintable(body.reason.rawValue)
  }

  private static func parse(_ bytes: [UInt8]) -> ErrorBody? {
    bytes.withUnsafeBufferPointer { ErrorBody.parse($0) }
  }
}
