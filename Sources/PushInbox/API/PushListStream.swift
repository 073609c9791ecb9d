internal import JSONText
internal import PushEmulator

/// Pushes as the elements of a JSON array, a few at a time: `[{…},{…}]`.
struct PushElements {
  private static let portion = 16

  private let received: ReceivedPushes
  private let filter: PushFilter
  /// The ID of the last push that was looked at.
  private(set) var cursor: Int
  private var rest: Int
  private var isFirst = true
  private var isAtEnd = false

  /// - Parameters:
  ///   - id: the pushes after this one are meant.
  ///   - limit: the most that are written.
  init(_ received: ReceivedPushes, _ filter: PushFilter, after id: Int, limit: Int) {
    (self.received, self.filter, cursor, rest) = (received, filter, id, limit)
  }

  /// The next ones, with commas; nil after the last.
  mutating func next() -> [UInt8]? {
    if isAtEnd { return nil }
    let page = received.page(filter, after: cursor, limit: min(rest, Self.portion))
    cursor = max(cursor, page.cursor)
    rest -= page.pushes.count
    isAtEnd = rest == 0 || page.pushes.count < Self.portion
    var bytes: [UInt8] = []
    for push in page.pushes {
      bytes.append(UInt8(ascii: isFirst ? "[" : ","))
      bytes += push.json
      isFirst = false
    }
    if isAtEnd { bytes += isFirst ? Array("[]".utf8) : [UInt8(ascii: "]")] }
    return bytes
  }
}

/// `{"pushes":[…],"cursor":12,"total":12}`, made while it is sent.
final class PushListStream: BodyStream, @unchecked Sendable {
  private enum Stage { case opening, elements, closing, done }

  private var elements: PushElements
  private let opening: String
  private let closing: [(String, Int)]
  private let lookedAt: Int
  private var stage = Stage.opening

  /// - Parameters:
  ///   - opening: what stands before the pushes, such as `{"pushes":`.
  ///   - closing: what stands behind them besides the cursor.
  ///   - lookedAt: the ID of the last push that was looked at already.
  init(
    _ elements: PushElements, opening: String, closing: [(String, Int)] = [], lookedAt: Int = 0
  ) {
    (self.elements, self.opening, self.closing) = (elements, opening, closing)
    self.lookedAt = lookedAt
  }

  func next(now: Int64) -> BodyPiece {
    switch stage {
    case .opening:
      stage = .elements
      return .bytes(Array(opening.utf8))
    case .elements:
      if let bytes = elements.next() { return .bytes(bytes) }
      stage = .closing
      return next(now: now)
    case .closing:
      stage = .done
      let facts = [("cursor", max(lookedAt, elements.cursor))] + closing
      return .bytes(Array((facts.map { ",\"\($0)\":\($1)" }.joined() + "}\n").utf8))
    case .done: return .end
    }
  }
}

extension ReceivedPush {
  /// It as JSON, on one line.
  var json: [UInt8] {
    var writer = JSONWriter(.wire)
    write(to: &writer)
    return writer.bytes
  }
}
