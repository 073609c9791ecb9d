import JSONText

/// The body of a rejection. GOAWAY frames carry the same text.
public struct ErrorBody: Sendable, Hashable {
  /// The default limit on a body, in bytes.
  public static let usualLimit = 4096

  /// The reason for the rejection.
  public let reason: Reason
  /// The time at which APNs found the device token dead, in milliseconds since 1970; nil if absent
  /// or not a whole number of at most 64 bits.
  public let timestamp: Int64?

  /// Creates the body of a rejection.
  public init(_ reason: Reason, timestamp: Int64? = nil) {
    self.reason = reason
    self.timestamp = timestamp
  }

  /// The reason in the body of an answer, or in the debug data of a GOAWAY, where APNs puts the
  /// same JSON; nil if there is none.
  public static func reason(in bytes: [UInt8]) -> Reason? {
    bytes.withUnsafeBufferPointer { parse($0) }?.reason
  }

  /// Parses a body. Invalid content is not an error: nil if it is too long, not JSON, or has no
  /// reason. A reason that cannot be shown and stored as it is gets escaped and truncated.
  public static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, limit: Int = usualLimit
  ) -> ErrorBody? {
    guard bytes.count <= limit else { return nil }
    return plain(bytes) ?? any(bytes)
  }

  /// The body as APNs writes it: `{"reason":"…"}`, with a `timestamp` if there is one.
  public var bytes: [UInt8] {
    let time = timestamp.map { ",\"timestamp\":\($0)" } ?? ""
    let word = reason.rawValue.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    return Array("{\"reason\":\"\(word)\"\(time)}".utf8)
  }
}

extension ErrorBody {
  // The form of nearly all rejections, parsed without creating a JSON value.
  private static func plain(_ bytes: UnsafeBufferPointer<UInt8>) -> ErrorBody? {
    guard let afterOpening = bytes[...].dropping("{\"reason\":\""),
      let quote = afterOpening.firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    let word = afterOpening[..<quote]
    let rest = afterOpening[quote...]
    guard !word.contains(UInt8(ascii: "\\")),
      let reason = Reason(word)
        ?? String(validating: word, as: UTF8.self).flatMap({ Reason(escaping: $0) })
    else { return nil }
    if rest.elementsEqual("\"}".utf8) { return ErrorBody(reason) }
    return rest.dropping("\",\"timestamp\":").flatMap(plainTime).map {
      ErrorBody(reason, timestamp: $0)
    }
  }

  /// Parses digits and the closing brace. Eighteen digits always fit.
  private static func plainTime(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    let digits = bytes.dropLast()
    guard bytes.last == UInt8(ascii: "}"), 1...18 ~= digits.count,
      digits.allSatisfy({ $0 &- 0x30 < 10 })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func any(_ bytes: UnsafeBufferPointer<UInt8>) -> ErrorBody? {
    guard let body = try? JSONReader(depthLimit: 4).read(bytes),
      let reason = body["reason"]?.string.flatMap({ Reason(escaping: $0) })
    else { return nil }
    return ErrorBody(reason, timestamp: body["timestamp"]?.number?.int.map(Int64.init))
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  fileprivate func dropping(_ text: String) -> Self? {
    starts(with: text.utf8) ? dropFirst(text.utf8.count) : nil
  }
}
