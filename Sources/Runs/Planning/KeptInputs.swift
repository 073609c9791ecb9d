internal import APNS
internal import POSIX
internal import Recipients
internal import Reporting
internal import Settings

/// What the history keeps of a run's settings, so that it can be resumed: the server in use, and of
/// the credentials only the place.
struct KeptInputs {
  /// All layers, merged.
  let settings: Settings

  /// The files that a later pass can continue.
  var files: RunOutputFiles { RunOutputFiles(settings).continuable }

  /// The inputs of a run that begins.
  ///
  /// - Parameter credentials: nil for an enqueued run: workers have their own.
  /// - Throws: `Failure.list` when a list is gone.
  func inputs(
    _ recipients: RunRecipients, of message: Message, at server: ServerChoice,
    as credentials: OpenedCredentials?, _ context: Context
  ) throws(Failure) -> RunInputs {
    var kept = settings
    kept.environment = Setting(server.setting, .storedRun)
    // An emulator brings its own CA; that of one in another process is a file.
    if server.environment.isEmulator {
      kept.ca = server.environment == .emulator ? nil : server.roots.map { Setting($0, .storedRun) }
    }
    let sharesTokens = kept.tokenCache
    kept.forget(.credentials)
    kept = kept.over(credentials?.stored ?? Settings())
    kept.tokenCache = sharesTokens
    return RunInputs(
      settings: kept, folder: ProcessFacts.workingFolder,
      recipients: try recipients.sources.map { (source) throws(Failure) in
        switch source {
        case .tokens(let tokens, let name): return .tokens(tokens, name: name)
        case .channel(let id, let name): return .channel(id, name: name)
        case .file, .standardInput, .copy, .resent: return .list(try .init(source))
        }
      },
      suppressed: try recipients.suppression.sources.map(RunInputs.List.init),
      isTemplate: message.rendering != nil, files: files, config: context.configuration.named)
  }
}
