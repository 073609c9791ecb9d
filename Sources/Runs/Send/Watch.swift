internal import Delivery
internal import HTTP2
internal import POSIX
internal import PlainText
internal import Reporting
internal import Settings

/// Sends again each time the payload's file is saved, until a signal ends it.
final class Watch {
  private static let interval = 100

  private let path: String
  private let context: Context
  private var saves: SaveDetector

  /// - Throws: `Failure` when there is no file to watch, or an option allows a single run only.
  init(_ settings: Settings, _ context: Context) throws(Failure) {
    try settings.refuseWatching()
    guard let path = settings.payload?.value, path != "-" else { throw .nothingToWatch }
    guard let stamp = FileStamp(path) else { throw .unwatchable(path) }
    (self.path, self.context) = (path, context)
    saves = SaveDetector(stamp)
  }

  /// Carries out the order, and again after each save.
  ///
  /// - Returns: a report without text: each run's was printed when it ended.
  /// - Throws: `Failure` if there is more wrong than the message, before the first push.
  func carryOut(_ order: RunOrder) throws(Failure) -> Report {
    var order = order
    // Each is read once.
    order.credentials = .shared(CommonCredentials())
    let destination = try order.destination(context)
    let resources = RunResources(links: LinkPools())
    defer { resources.links?.close() }
    var code = context.teller.show(
      try firstGood(order, at: destination).carryOut(in: resources))
    if !resources.cancellation.isCancelled { announce() }
    while waitForSave(unless: resources.cancellation) {
      context.teller.note("\(path.printable) was saved")
      do throws(Failure) {
        let plan = try RunPlan(order, at: destination, telling: .warnings, context)
        code = context.teller.show(try plan.carryOut(in: resources, asking: false))
      } catch {
        tell(error)
        code = error.exitCode
      }
    }
    return Report(context.signals.received ?? code)
  }

  /// The first plan whose message has no problems; they are reported after each save. A signal ends
  /// the process meanwhile, because nothing was sent.
  ///
  /// - Throws: `Failure` for anything but problems.
  private func firstGood(
    _ order: RunOrder, at destination: Destination
  ) throws(Failure) -> RunPlan {
    while true {
      do throws(Failure) {
        let plan = try RunPlan(order, at: destination, context)
        // Rendering finds problems caused by placeholders without a value.
        _ = try plan.message.payload()
        return plan
      } catch {
        if error.problems.isEmpty { throw error }
        context.signals.end {}
        tell(error)
        announce()
        waitForSave(unless: Cancellation())
      }
    }
  }

  private func announce() {
    context.teller.note("watching \(path.printable): saving it sends again, Ctrl-C ends")
  }

  private func tell(_ failure: Failure) {
    context.teller.warn(failure, canDoWithoutHistory: true)
  }

  /// - Returns: true when the file was saved, false when the command is to end.
  @discardableResult
  private func waitForSave(unless cancellation: Cancellation) -> Bool {
    while !cancellation.isCancelled {
      if saves.isSaved(FileStamp(path), at: context.clock.monotonic()) { return true }
      cancellation.pause(milliseconds: Self.interval, context.clock)
    }
    return false
  }
}

/// Detects that a file was saved completely: it has not changed for 200 ms.
struct SaveDetector {
  static let stillness: UInt64 = 200_000_000

  /// The stamp at the last read.
  private var known: FileStamp?
  private var last: FileStamp?
  /// The time of the last change seen, in nanoseconds.
  private var since: UInt64 = 0

  /// - Parameter stamp: the stamp before the file is read for the first time.
  init(_ stamp: FileStamp) { (known, last) = (stamp, stamp) }

  /// - Parameters:
  ///   - stamp: the current stamp; nil while the file is missing, as it is for a moment with some
  ///     editors.
  ///   - now: the time in nanoseconds.
  /// - Returns: true when the file should be read again.
  mutating func isSaved(_ stamp: FileStamp?, at now: UInt64) -> Bool {
    if stamp != last { (last, since) = (stamp, now) }
    guard let stamp, stamp != known, now - since >= Self.stillness else { return false }
    known = stamp
    return true
  }
}

/// The identity and state of a file: editors either rewrite it or replace it with another.
struct FileStamp: Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let modified: Int64

  /// Nil unless a plain file is at the path.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    (size, modified) = (Int64(status.st_size), status.modifiedNanoseconds)
  }
}

extension Settings {
  /// Refuses options for a single run, whose files cannot be read, or sent, twice.
  fileprivate func refuseWatching() throws(Failure) {
    let others: [(String, Bool)] = [
      ("--tokens", tokens != nil), ("--suppress", suppress != nil), ("--apns-id", apnsID != nil),
      (dryRun?.origin.text ?? "", dryRun.isOn), ("--plan", plan.isOn), ("--yes=ID", bindPlan),
      ("--max-time", maxTime != nil),
    ]
    if let other = others.first(where: \.1)?.0 { throw .conflict(other, "--watch") }
  }
}

extension Failure {
  fileprivate static var nothingToWatch: Failure {
    .usage("'--watch' needs the payload in a file: '--payload FILE'.")
  }

  fileprivate static func unwatchable(_ path: String) -> Failure {
    guard fileExists(path) else {
      return .file(FileFailure(path: path, action: .read, fault: .missing, purpose: "payload"))
    }
    return Failure(
      "\(path.printable) is not a file, and cannot be watched.",
      fix: "Save the payload in a file, or omit --watch.")
  }
}
