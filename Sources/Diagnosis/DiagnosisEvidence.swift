public import APNS
public import Credentials
public import HTTP2

/// What was seen at a step. Texts in it may come from outside: escape them before a terminal.
public enum DiagnosisEvidence: Sendable {
  /// Why a step was not looked at.
  public enum Unchecked: String, Sendable, Hashable {
    /// Nobody named a key or a certificate.
    case noCredentials
    /// The ids are at fault, and so the key was read but not tried.
    case faultyIdentifiers
    /// With a client certificate there are no ids.
    case certificateInUse
    /// The host has no address that could be tried.
    case noAddresses
    /// The server spoke no protocol that is known, before its certificate was seen.
    case endedEarlier
    /// No bundle ID was given.
    case noBundleID
    /// There was no push, and so no answer with a date.
    case noAnswer
    /// The answer has no `date` that can be read.
    case noDate
  }

  /// The step was not looked at.
  case unchecked(Unchecked)
  /// The caller could not read a file that was named. The error is the caller's own.
  case unusable(any Error)
  /// The key signed a provider token, and its public half verified it.
  case signature
  /// The key cannot sign.
  case keyFault(SigningKeyError)
  /// What the key signs its public half does not verify.
  case badSignature
  /// What a client certificate says, and what is wrong with it.
  case certificate(CertificateFacts, [CertificateProblem])
  /// OpenSSL cannot show the client certificate.
  case identityFault(ClientIdentity.Failure)
  /// The two ids. The last is the key id in the file's name, when that is another one.
  case identifiers(KeyID, TeamID, fileName: KeyID?)
  /// This machine's time, in seconds since 1970 UTC.
  case time(Int64)
  /// The host's addresses, in the order of the resolver.
  case addresses([HostAddress])
  /// The resolver knows no address.
  case lookUpFailed(HostLookup.Failure)
  /// The resolver did not answer within so many milliseconds.
  case lookUpTimedOut(Int)
  /// What became of each address family that the host has addresses of.
  case families([FamilyReach])
  /// What became of each port; the first one is the one that is used.
  case ports([PortReach])
  /// No proxy is used. The setting is one that excepts this host; nil when there is none at all.
  case direct(ProxySetting?)
  /// The proxy opened the tunnel.
  case tunnel(ProxySetting)
  /// No link could be opened.
  case dialFailed(DialError)
  /// The handshake, who vouches for the server, and for how many whole days.
  case handshake(TLSConnectionFacts, daysLeft: Int)
  /// Apple's server is vouched for by another root than Apple names: TLS is opened on the way.
  case foreignRoot(TLSConnectionFacts, root: String)
  /// The server's certificate was accepted; more is not known, for the server speaks no HTTP/2.
  case acceptedCertificate
  /// The protocol that was chosen.
  case chosenProtocol(String)
  /// How many streams the server allows at once; nil when it sets no limit.
  case streams(Int?)
  /// The connection ended, or fell silent.
  case conversation(ConversationEnd)
  /// The answer to the push to a false device token, or why the channels were not listed.
  case answer(FalsePushAnswer)
  /// How many channels the app has; nil when the answer to the request for them does not say.
  case channels(Int?)
  /// How many seconds this machine's clock is ahead of the server's; negative when it is behind.
  case clockOffset(Int64)
}

/// How far connections of one address family get.
public struct FamilyReach: Sendable, Hashable {
  /// How far.
  public enum Outcome: Sendable, Hashable {
    /// A connection was opened, in so many milliseconds.
    case connected(Int)
    /// The host, or a firewall in its name, refused: the way there is open.
    case refused
    /// This machine has no way to addresses of this family.
    case noRoute
    /// Nobody answered.
    case silent
    /// Another `errno` of the system.
    case failed(Int32)
  }

  /// The family.
  public let family: AddressFamily
  /// How far it got.
  public let outcome: Outcome
}

/// Whether a port can be connected to.
public struct PortReach: Sendable, Hashable {
  /// The port.
  public let port: UInt16
  /// How far the better of the families got.
  public let outcome: FamilyReach.Outcome
}

/// What came back for the push to a false device token.
public struct FalsePushAnswer: Sendable, Hashable {
  /// The answer.
  public let response: Response
  /// What the request shows of itself, for ranking the causes of a refusal.
  public let request: RequestFacts
  /// How many seconds this machine's clock is ahead of the server's, when that is too far for the
  /// provider token and so explains the refusal; nil otherwise.
  public let clockFault: Int64?
}
