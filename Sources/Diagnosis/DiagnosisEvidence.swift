public import APNS
public import Credentials
public import HTTP2

/// The evidence for a step's verdict. It may contain outside text: escape it before printing.
public enum DiagnosisEvidence: Sendable {
  /// The reason a step was skipped.
  public enum Unchecked: String, Sendable, Hashable {
    /// No credentials were given.
    case noCredentials
    /// The key ID or team ID is invalid, so the key was read but not tried.
    case faultyIdentifiers
    /// A client certificate is used, so there are no IDs to check.
    case certificateInUse
    /// The host has no addresses to try.
    case noAddresses
    /// The server spoke no known protocol and ended the connection before its certificate.
    case endedEarlier
    /// No bundle ID was given.
    case noBundleID
    /// No push was answered, so there is no date to compare.
    case noAnswer
    /// The answer has no readable `date`.
    case noDate
  }

  /// The step was skipped.
  case unchecked(Unchecked)
  /// The caller could not read a file it was given. The error is the caller's own.
  case unusable(any Error)
  /// The key signed a provider token, and its public half verified the signature.
  case signature
  /// The key cannot sign.
  case keyFault(SigningKeyError)
  /// The key's public half does not verify its signature.
  case badSignature
  /// The client certificate's facts and problems.
  case certificate(CertificateFacts, [CertificateProblem])
  /// OpenSSL cannot use the client certificate.
  case identityFault(ClientIdentity.Failure)
  /// The key ID and team ID. `fileName` is the key ID in the file's name, if it differs.
  case identifiers(KeyID, TeamID, fileName: KeyID?)
  /// This machine's time, in seconds since 1970 UTC.
  case time(Int64)
  /// The host's addresses, in the resolver's order.
  case addresses([HostAddress])
  /// The lookup failed.
  case lookUpFailed(HostLookup.Failure)
  /// The resolver did not answer within this many milliseconds.
  case lookUpTimedOut(Int)
  /// The outcome for each address family the host has addresses in.
  case families([FamilyReach])
  /// The outcome for each port; the first is the one in use.
  case ports([PortReach])
  /// No proxy is used. The setting is the one that exempts this host; nil if there is none at all.
  case direct(ProxySetting?)
  /// The proxy opened the tunnel.
  case tunnel(ProxySetting)
  /// The connection could not be opened.
  case dialFailed(DialError)
  /// The handshake, including the chain, and the whole days until the first certificate expires.
  case handshake(TLSConnectionFacts, daysLeft: Int)
  /// The chain to Apple's server ends in another root than Apple names: TLS is intercepted.
  case foreignRoot(TLSConnectionFacts, root: String)
  /// The server's certificate was accepted, but the server does not speak HTTP/2.
  case acceptedCertificate
  /// The negotiated protocol.
  case chosenProtocol(String)
  /// The number of concurrent streams the server allows; nil if it sets no limit.
  case streams(Int?)
  /// The connection ended or went silent.
  case conversation(ConversationEnd)
  /// The answer to the push to a fake device token, or the reason the channels were not listed.
  case answer(FalsePushAnswer)
  /// The number of channels the app has; nil if the answer does not contain a list.
  case channels(Int?)
  /// The seconds by which this machine's clock is ahead of the server's; negative if behind.
  case clockOffset(Int64)
}

/// The reachability of one address family.
public struct FamilyReach: Sendable, Hashable {
  /// The outcome of connecting.
  public enum Outcome: Sendable, Hashable {
    /// A connection was opened in this many milliseconds.
    case connected(Int)
    /// The host, or a firewall in front of it, refused: the route is open.
    case refused
    /// This machine has no route to addresses of this family.
    case noRoute
    /// No answer arrived in time.
    case silent
    /// Connecting failed with another `errno`.
    case failed(Int32)
  }

  /// The address family.
  public let family: AddressFamily
  /// The best outcome among its addresses.
  public let outcome: Outcome
}

/// The reachability of one port.
public struct PortReach: Sendable, Hashable {
  /// The port.
  public let port: UInt16
  /// The better outcome of the two families.
  public let outcome: FamilyReach.Outcome
}

/// The answer to the push to a fake device token.
public struct FalsePushAnswer: Sendable, Hashable {
  /// The response.
  public let response: Response
  /// The request's properties, used to rank the causes of a refusal.
  public let request: RequestFacts
  /// The seconds by which this machine's clock is ahead of the server's, if that is enough to
  /// explain the refused provider token; nil otherwise.
  public let clockFault: Int64?
}
