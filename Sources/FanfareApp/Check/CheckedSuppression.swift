internal import Projects
internal import PushModel
internal import Recipients
internal import Synchronization

/// The lists of `--suppress`, read to their ends, and what is wrong with them.
struct CheckedSuppression {
  /// The device tokens not to send to; nil when none were given, or a list could not be read.
  private(set) var tokens: SuppressedTokens?

  /// The lists with something wrong.
  private(set) var faults: [CheckedFile] = []

  init(_ options: Settings) {
    let found = Mutex<[BadLine]>([])
    let suppression = Suppression(options.suppressedSources, format: options.listFormat) {
      line in
      found.withLock { if $0.count < ListCheck.badLineLimit { $0.append(line) } }
    }
    do throws(ListError) {
      tokens = try suppression.tokens()
    } catch {
      faults.append(CheckedFile(error))
    }
    let lines = found.withLock { $0 }
    let byList = Dictionary(grouping: lines, by: \.list).sorted { $0.key < $1.key }
    faults += byList.map { CheckedFile(list: $0, $1, showsLines: options.showTokens.isOn) }
  }
}
