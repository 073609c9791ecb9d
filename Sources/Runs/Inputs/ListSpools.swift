internal import POSIX
internal import PlainText
package import Recipients
internal import Reporting
package import Settings
internal import Synchronization

/// Copies lists that can be read only once, while they are being read.
package final class ListSpools: Sendable {
  private struct State {
    var spools: [Int: Spool] = [:]
    /// Reports the error if a list copied before the run began could not be kept.
    var report: @Sendable (Int32) -> Void = { _ in }
  }

  private let state = Mutex(State())

  package init() {}

  /// The copies by the list's index.
  package var spools: [Int: Spool] { state.withLock { $0.spools } }

  /// A list could not be copied.
  package var hasFailed: Bool { spools.values.contains { $0.failure != nil } }

  /// - Parameter history: the run's history, which determines the folder for copies made before the
  ///   run has its number; nil copies nothing.
  package func prepare(
    for sources: [RecipientSource], beside history: String?, _ context: Context
  ) -> [Int: Spool] {
    var spools: [Int: Spool] = [:]
    if let history {
      for (index, source) in sources.enumerated() where source.isReadOnce {
        spools[index] = Spool(scratchFolder: context.scratchFolder(beside: history)) { code in
          context.teller.note(Self.cannotCopy(source.name, code))
        }
      }
    }
    state.withLock { $0.spools = spools }
    return spools
  }

  /// Takes over the only list of a run that resends pushes.
  package func hold(_ list: ResentList, _ context: Context) {
    let spools = list.spool.map { [0: $0] } ?? [:]
    let name = list.name
    state.withLock { state in
      state.spools = spools
      state.report = { code in context.teller.note(Self.cannotCopy(name, code)) }
    }
  }

  /// Moves the copies to their final paths.
  func keep(at path: (Int) -> String) {
    let (spools, report) = state.withLock { ($0.spools, $0.report) }
    for (index, spool) in spools {
      spool.keep(at: path(index))
      if let code = spool.failure { report(code) }
    }
  }

  private static func cannotCopy(_ list: String, _ code: Int32) -> String {
    "\(list.printable): no copy can be kept (\(systemMessage(code).printable)), and it cannot be "
      + "read twice: this run cannot be resumed."
  }
}
