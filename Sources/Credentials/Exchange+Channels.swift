package import APNS
package import HTTP2

extension APNSID {
  /// Creates the ID of a single request.
  package init(random clock: RunClock) {
    let bits = RunBits(clock.random(), UInt16(truncatingIfNeeded: clock.random()))
    self.init(bits, sequence: 1)
  }
}

extension Exchange {
  /// The body limit, large enough for the IDs of all channels an app can have.
  private static let channelsLimit = 8 << 20

  /// Creates a request about an app's channels, ready to send.
  ///
  /// - Parameters:
  ///   - id: its `apns-request-id`.
  ///   - token: nil when a certificate is used; `authorization` is then omitted.
  package convenience init(
    _ request: ChannelRequest, of app: BundleID, at target: DialTarget, _ id: APNSID,
    _ token: ProviderToken?
  ) {
    self.init(bodyLimit: request == .list ? Self.channelsLimit : Self.bodyLimit)
    let channel = request.channel.map { Field(HeaderName.channelID.text, $0.text) }
    let head = RequestHead(
      method: request.method, authority: target.authority, pathPrefix: request.path(of: app),
      fields: [token?.authorization, channel].compactMap(\.self),
      varying: HeaderName.requestID.text)
    let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    let isReady = prepare(head, pathEnd: nothing, body: request.body) { room in
      id.write(to: room)
      return APNSID.textLength
    }
    precondition(isReady, "a bundle ID is shorter than the room for a path")
  }
}
