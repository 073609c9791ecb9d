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
  private let settings: Settings
  private let context: Context
  private var saves: SaveDetector

  /// - Throws: `Failure` when there is no file to watch, or an option allows a single run only.
  init(_ settings: Settings, _ context: Context) throws(Failure) {
    try settings.refuseWatching()
    guard let path = settings.payload?.value, path != "-" else { throw .nothingToWatch }
    guard let stamp = FileStamp(path) else { throw .unwatchable(path) }
    (self.path, self.settings, self.context) = (path, settings, context)
    saves = SaveDetector(stamp)
  }

  /// Runs `check` until it finds no problems, and reports them after each save. A signal ends the
  /// process meanwhile, because nothing was sent.
  ///
  /// - Throws: `Failure` for anything but problems.
  func firstGood(
    _ check: () throws(Failure) -> CheckedMessage
  ) throws(Failure) -> CheckedMessage {
    while true {
      do throws(Failure) {
        let checked = try check()
        // Rendering finds problems caused by placeholders without a value.
        _ = try checked.message.payload()
        return checked
      } catch {
        if error.problems.isEmpty { throw error }
        context.signals.end {}
        tell(error)
        announce()
        waitForSave(unless: Cancellation())
      }
    }
  }

  /// Sends the file's contents after each save.
  ///
  /// - Parameter first: the report of the first run, which is printed before the file is watched.
  /// - Returns: a report without text: each run's was printed when it ended.
  func sendAgain(
    _ sending: Sending, to destination: Destination, as credentials: OpenedCredentials,
    after first: Report
  ) -> Report {
    var code = context.teller.show(first)
    let resources = sending.resources
    defer { resources.links?.close() }
    if !resources.cancellation.isCancelled { announce() }
    while waitForSave(unless: resources.cancellation) {
      context.teller.note("\(path.printable) was saved")
      do throws(Failure) {
        code = context.teller.show(try send(sending, to: destination, as: credentials))
      } catch {
        tell(error)
        code = error.exitCode
      }
    }
    return Report(context.signals.received ?? code)
  }

  private func send(
    _ sending: Sending, to destination: Destination, as credentials: OpenedCredentials
  ) throws(Failure) -> Report {
    let checked = try CheckedMessage(
      DraftAssembly(settings, context), settings, destination, context)
    checked.tell(tellsInference: false, context)
    return try sending.finish(
      checked.message, to: try sending.recipients(checked.message), at: destination.servers,
      as: credentials)
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
      (dryRun?.origin.text ?? "", dryRun.isOn),
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
