public import APNS
public import PushModel
internal import Synchronization

/// The findings of reading a token list to its end.
public struct ListCheck: Sendable, Hashable {
  /// The most bad lines kept individually; further ones are only counted.
  public static let badLineLimit = 1000

  /// The most unsendable rows kept individually.
  public static let badRowLimit = 10

  /// A row with a device token whose payload breaks rules.
  public struct BadRow: Sendable, Hashable {
    /// The line of the row, from 1.
    public let line: Int
    /// The rules it breaks.
    public let problems: [Problem]
  }

  /// The list.
  public let source: RecipientSource
  /// The counts of its lines.
  public let counts: RecipientCounts
  /// The first bad lines, in order.
  public let badLines: [BadLine]
  /// The first unsendable rows, in order.
  public let badRows: [BadRow]
  /// The number of unsendable rows; nil when no payloads were rendered.
  public let badRowCount: Int?
  /// The number of device tokens that would be sent to, by their number of digits.
  public let tokenLengths: [Int: Int]
  /// The error that kept the list from being read, or read to its end; nil when there was none.
  public let error: ListError?

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - source: the list.
  ///   - format: the format to assume when the list's name does not tell.
  ///   - selection: the rows that are sent to.
  ///   - rendering: renders each row's payload; nil for none. A list that lacks a column it needs
  ///     is an error.
  public init(
    _ source: RecipientSource, format: ListFormat = .txt,
    selection: RecipientSelection = RecipientSelection(), rendering: (any RowRendering)? = nil
  ) {
    let found = BadLines()
    var reading = Self.read(source, format, selection, rendering, report: found.add)
    if case .missingColumns = reading.error?.fault, !source.isReadOnce {
      let error = reading.error
      reading = Self.read(source, format, selection, nil, report: found.add)
      reading.error = error
    }
    self.source = source
    (counts, tokenLengths, error) = (reading.counts, reading.lengths, reading.error)
    (badRows, badRowCount) = (reading.badRows, rendering == nil ? nil : reading.badRowCount)
    badLines = found.list
  }

  private struct Reading {
    var counts = RecipientCounts()
    var lengths: [Int: Int] = [:]
    var error: ListError?
    var badRows: [BadRow] = []
    var badRowCount = 0

    mutating func add(_ chunk: PushChunk) {
      for index in 0..<chunk.count {
        lengths[chunk.withToken(at: index, \.count), default: 0] += 1
      }
      if !chunk.hasProblems { return }
      for index in 0..<chunk.count {
        guard let problems = chunk.problems(at: index)?.problems else { continue }
        badRowCount += 1
        if badRows.count < ListCheck.badRowLimit {
          badRows.append(BadRow(line: chunk.line(at: index), problems: problems))
        }
      }
    }
  }

  /// The number of device tokens that would be sent to.
  public var tokens: Int { counts.pushes }

  private static func read(
    _ source: RecipientSource, _ format: ListFormat, _ selection: RecipientSelection,
    _ rendering: (any RowRendering)?, report: @escaping @Sendable (BadLine) -> Void
  ) -> Reading {
    do throws(ListError) {
      return drain(
        try RecipientReader(
          [source], format: format, selection: selection, rendering: rendering,
          refusesMissing: true, report: report))
    } catch {
      return Reading(error: error)
    }
  }

  private static func drain(_ reader: consuming RecipientReader) -> Reading {
    var reading = Reading()
    do throws(ListError) {
      while let chunk = try reader.next() { reading.add(chunk) }
    } catch {
      reading.error = error
    }
    reading.counts = reader.counts
    return reading
  }
}

/// Collects the first bad lines of a list.
private final class BadLines: Sendable {
  private let lines = Mutex<[BadLine]>([])

  var list: [BadLine] { lines.withLock { $0 } }

  func add(_ line: BadLine) {
    lines.withLock { lines in
      if lines.count < ListCheck.badLineLimit { lines.append(line) }
    }
  }
}
