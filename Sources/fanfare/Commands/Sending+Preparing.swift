internal import APNS
internal import Projects
internal import Recipients

// What can be found out before anything is sent.
extension Sending {
  /// Looks for everything that would keep its requests from being printed.
  func rehearse() throws(Failure) {
    let (server, signer) = try place()
    _ = try recipients(try message(for: server, signer, isTold: false))
  }

  /// Looks for everything that would keep it from being sent, and sends nothing.
  ///
  /// - Parameter isTold: whether to tell what was inferred, and what to look out for.
  func prepare(isTold: Bool) throws(Failure) -> PreparedSending {
    let (server, signer) = try place()
    if server.environment == .emulator { _ = try common?.places.script(for: scenario) }
    let message = try self.message(for: server, signer, isTold: isTold)
    // Who writes into a pipe would lose its reader.
    if !sources.contains(where: \.isReadOnce) { _ = try recipients(message) }
    return PreparedSending(
      server: server, signer: signer, credentials: try credentials(of: signer, at: server))
  }

  func credentials(
    of signer: Signer, at server: ServerChoice
  ) throws(Failure) -> CredentialChoice {
    let open = { () throws(Failure) in
      let choice = try signer.credentials(for: server.environment, options.credentials, context)
      if !options.telling.quiet { CredentialWarning.tell(choice.warnings, context) }
      return choice
    }
    guard let common else { return try open() }
    return try common.credentials.choice(for: credentialsSetting(at: server), open: open)
  }

  /// What names the credentials, for those that share them.
  func credentialsSetting(at server: ServerChoice) -> CommonCredentials.Setting {
    CommonCredentials.Setting(
      setting: scenario?.credentials, profile: context.namedProfile?.name,
      isEmulator: server.environment == .emulator)
  }
}
