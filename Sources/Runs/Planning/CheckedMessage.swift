internal import APNS
internal import Credentials
internal import HTTP2
internal import PlainText
package import Reporting
package import Settings

/// A message made from a draft and checked by the rules and against the certificate.
package struct CheckedMessage {
  package let message: Message
  private let assembly: DraftAssembly
  private let warnings: [CredentialWarning]

  /// - Throws: `Failure` with all problems.
  package init(
    _ assembly: DraftAssembly, _ settings: Settings, _ destination: Destination, _ context: Context
  ) throws(Failure) {
    var assembly = assembly
    let (server, credentials) = (destination.server, destination.credentials)
    let certificate = credentials.certificate
    assembly.certificate = certificate?.certificate?.facts
    let draft = try assembly.draft()
    let now = context.clock.epochSeconds
    var rules = RuleContext(
      now: now, authentication: credentials.authentication(at: server.environment))
    rules.channelStorage =
      if let known = assembly.channelStorage { .known(known) } else {
        try settings.storage(ofChannelOf: draft, at: server, context)
      }
    let fit = assembly.certificate.map {
      CertificateFit($0, in: certificate?.name ?? "", draft, to: server.environment, now: now)
    }
    do throws(Failure) {
      // A topic that a certificate for something else supplies is wrong too, and one that it does
      // not supply is missing: report the cause.
      if assembly.topicOfCertificate != nil || draft.topicOrApp == nil {
        try fit?.refuse(force: settings.force.isOn)
      }
      message = try Message(
        draft, variables: assembly.variables, in: rules, beside: fit?.problems ?? [],
        force: settings.force.isOn)
      try fit?.refuse(force: settings.force.isOn)
    } catch {
      throw settings.strict.isOn ? error.strict : error
    }
    self.assembly = assembly
    warnings = fit?.warnings ?? []
    if settings.strict.isOn { try Strictness.refuse(message.warnings, warnings) }
  }

  /// The message as it was written.
  func written() throws(Failure) -> WrittenMessage {
    var assembly = assembly
    assembly.isUndated = true
    return WrittenMessage(try assembly.draft(), variables: assembly.variables)
  }

  /// What is told of a message.
  package enum Telling {
    /// Warnings and what was inferred.
    case all
    case warnings
    case nothing
  }

  /// Prints warnings, and how the push type was found if warnings may concern it or with --verbose.
  package func tell(_ telling: Telling = .all, _ context: Context) {
    if telling == .nothing { return }
    let (teller, tellsInference) = (context.teller, telling == .all)
    let isTypeTold = teller.level == .verbose || !message.warnings.isEmpty
    if tellsInference, isTypeTold, let type = assembly.inferredType {
      teller.note("push type: \(type.rawValue), inferred from the payload")
    }
    if tellsInference, let topic = assembly.topicOfCertificate {
      teller.note("topic: \(topic.printable), from the certificate")
    }
    if tellsInference, let app = assembly.appOfCertificate {
      teller.note("bundle ID: \(app.printable), from the certificate")
    }
    for note in assembly.notes { teller.note(note) }
    teller.note([.problems(key: "problems", message.warnings)])
    teller.note(warnings.parts)
  }
}

extension Settings {
  /// The storage policy of a draft's channel according to the history, if it matters.
  fileprivate func storage(
    ofChannelOf draft: Draft, at server: ServerChoice, _ context: Context
  ) throws(Failure) -> ChannelStorage {
    guard let channel = draft.channel.flatMap({ try? ChannelID($0) }),
      let app = draft.app.flatMap({ try? BundleID($0.value) }),
      draft.expiration != Expiration.neverStored.description
    else { return .notLookedUp }
    let known = try KnownChannels(self, at: server.environment, of: app, context)
    if !known.isKept { return .notLookedUp }
    return try known.policy(of: channel).map(ChannelStorage.known) ?? .unknown
  }
}
