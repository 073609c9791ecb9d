internal import JSONText
internal import PushEmulator
internal import WebServer

/// Pushes as the elements of a JSON array, a few at a time: `[{…},{…}]`.
struct PushElements {
  /// The most pushes examined in one go: filtering takes time, and there is only one thread.
  static let slice = 64
  private static let portion = 16

  private let received: ReceivedPushes
  private let filter: PushFilter
  private let after: Int
  /// The last push to list; later ones are left out.
  private let end: Int
  /// The ID of the last push examined for the list.
  private(set) var cursor: Int
  /// The number of matching pushes, listed or not; nil if they are not counted.
  private(set) var matches: Int?
  private var walked: Int
  private var rest: Int
  private var isFirst = true
  private var isAtEnd = false

  /// - Parameters:
  ///   - id: only pushes after this one are listed.
  ///   - limit: the maximum number to list.
  ///   - isCounting: also counts the matches that are not listed.
  init(
    _ received: ReceivedPushes, _ filter: PushFilter, after id: Int, limit: Int,
    isCounting: Bool = false
  ) {
    (self.received, self.filter, after, cursor, rest) = (received, filter, id, id, limit)
    end = received.position.id
    matches = isCounting ? 0 : nil
    walked = isCounting ? 0 : id
  }

  /// The next elements with commas, possibly empty; nil after the last.
  mutating func next() -> [UInt8]? {
    if isAtEnd { return nil }
    let pushes = take()
    var bytes: [UInt8] = []
    for push in pushes {
      bytes.append(UInt8(ascii: isFirst ? "[" : ","))
      bytes += push.json
      isFirst = false
    }
    if isAtEnd { bytes += isFirst ? Array("[]".utf8) : [UInt8(ascii: "]")] }
    return bytes
  }

  /// Examines the next slice and returns the pushes to list.
  private mutating func take() -> ArraySlice<ReceivedPush> {
    let page = received.page(
      filter, after: walked, limit: rest > 0 ? Self.portion : Self.slice, lookingAt: Self.slice)
    let listed = page.pushes.filter { $0.id > after }.prefix(rest)
    if rest > 0 {
      rest -= listed.count
      cursor = rest == 0 ? listed.last?.id ?? cursor : max(cursor, page.cursor)
    }
    matches = matches.map { $0 + page.pushes.count }
    isAtEnd = page.cursor <= walked || page.cursor >= end || (rest == 0 && matches == nil)
    walked = page.cursor
    return listed
  }
}

/// The object `{"pushes":[…],"cursor":12,"total":12}`, generated while it is sent.
final class PushListStream: BodyStream, @unchecked Sendable {
  private enum Stage { case opening, elements, closing, done }

  private var elements: PushElements
  private let opening: String
  private let total: Int?
  private let lookedAt: Int
  private var stage = Stage.opening

  /// - Parameters:
  ///   - opening: the text before the pushes, such as `{"pushes":`.
  ///   - total: the total; nil uses the number the elements count, if they do.
  ///   - lookedAt: the ID of the last push already examined.
  init(
    _ elements: PushElements, opening: String, total: Int? = nil, lookedAt: Int = 0
  ) {
    (self.elements, self.opening, self.total) = (elements, opening, total)
    self.lookedAt = lookedAt
  }

  func next(now: Int64) -> BodyPiece {
    switch stage {
    case .opening:
      stage = .elements
      return .bytes(Array(opening.utf8))
    case .elements:
      // Other connections get their turn between slices.
      if let bytes = elements.next() { return bytes.isEmpty ? .nothing(until: now) : .bytes(bytes) }
      stage = .closing
      return next(now: now)
    case .closing:
      stage = .done
      let cursor = ",\"cursor\":\(max(lookedAt, elements.cursor))"
      let total = (total ?? elements.matches).map { ",\"total\":\($0)" }
      return .bytes(Array((cursor + (total ?? "") + "}\n").utf8))
    case .done: return .end
    }
  }
}

extension ReceivedPush {
  /// The push as JSON, on one line.
  var json: [UInt8] {
    var writer = JSONWriter(.wire)
    write(to: &writer)
    return writer.bytes
  }
}
