extension Reason {
  /// The reasons with more than one possible cause. The most common cause comes first, judging by
  /// the problems that users of many senders report.
  static let causeTable: [Reason: [Cause]] = [
    .badDeviceToken: [
      Cause(
        "The token is from a development build, but this is production.",
        fix: "Send it to the sandbox: --env sandbox.",
        plainly: "Send it to the sandbox.", clue: .service(.production)),
      Cause(
        "The token is from a TestFlight, Ad Hoc or App Store build, but this is the sandbox.",
        fix: "Send it to production: --env production.",
        plainly: "Send it to production.", clue: .service(.sandbox)),
      Cause(
        "The token belongs to a simulator; simulators work only with the sandbox.",
        fix: "Send it to the sandbox: --env sandbox.",
        plainly: "Send it to the sandbox.", clue: .longToken),
      Cause(
        "The token is for another kind of push: PushKit, Live Activity and app tokens differ.",
        fix: "Use the token from this push type's own registration.",
        clue: .ownToken),
      Cause(
        "The token is for another environment, or of a device that this server does not know.",
        fix: "Check which build registered it, and which devices the server knows.",
        clue: .service(.other)),
      Cause(
        "The token was cut off: Apple's have at least \(DeviceToken.usualDigits) digits.",
        fix: "Copy it whole: two hexadecimal digits per byte.", clue: .shortToken),
      Cause(
        "The token was altered.",
        fix: "Compare it with what the app logs: two hexadecimal digits per byte."),
    ],
    .deviceTokenNotForTopic: [
      Cause(
        "The topic has another push type's suffix, or lacks its own.",
        fix: "Use --bundle-id and --type; fanfare adds the suffix.",
        plainly: "Give the bundle ID and the push type; the suffix is added.", clue: .foreignSuffix),
      Cause(
        "The token is for another push type of the same app.",
        fix: "Use the token from this push type's own registration.",
        clue: .ownToken),
      Cause(
        "The token belongs to another app; debug and release builds may have different bundle IDs.",
        fix: "Compare the bundle ID with that of the app that registered the token."),
    ],
    .topicDisallowed: [
      Cause(
        "The topic has another push type's suffix, or lacks its own.",
        fix: "Use --bundle-id and --type; fanfare adds the suffix.",
        plainly: "Give the bundle ID and the push type; the suffix is added.", clue: .foreignSuffix),
      Cause(
        "The bundle ID in the path of a push to a channel has a suffix.",
        fix: "Use the bundle ID as Xcode shows it.", clue: .broadcast),
      Cause(
        "The key belongs to a different team than the app, or is limited to other topics.",
        fix: "Check the key's team and topics in the developer portal."),
      Cause(
        "The app was added to the team or to the key after this connection was opened.",
        fix: "Send it again; a new run opens a new connection."),
      Cause("The bundle ID is misspelled.", fix: "Compare it with the app's target in Xcode."),
    ],
    .invalidProviderToken: [
      Cause(
        "The key ID and team ID are swapped, or one of them belongs to another key.",
        fix: "The key ID is in the file name AuthKey_KEYID.p8; the team ID is under Membership."),
      Cause(
        "The key was revoked, or is for a service other than APNs.",
        fix: "Check in the developer portal that the key lists Apple Push Notifications."),
      Cause(
        "The key is new; it can take hours until APNs accepts it.",
        fix: "Wait and try again."),
      Cause(
        "This machine's clock is ahead; a new token looks as if it came from the future.",
        fix: "Set the clock; see 'date -u'.", clue: .clockAhead),
    ],
    .expiredProviderToken: [
      Cause(
        "This machine's clock is behind; a new token looks more than an hour old.",
        fix: "Set the clock; see 'date -u'.", clue: .freshProviderToken),
      Cause(
        "The token was created more than an hour ago.",
        fix: "Send it again; tokens are replaced after 50 minutes.", clue: .oldProviderToken),
    ],
    .tooManyProviderTokenUpdates: [
      Cause(
        "Several processes or machines create their own tokens with the same key.",
        fix: "Reuse one token for at least 20 minutes; see 'fanfare token'.",
        plainly: "Reuse one token for at least 20 minutes."),
      Cause(
        "A script starts a new process for each push.",
        fix: "Send to all device tokens in one run: repeat --to, or use --tokens with a list.",
        plainly: "Send to all device tokens from one process."),
    ],
    .badCertificateEnvironment: [
      Cause(
        "The certificate is for the sandbox only, but this is production.",
        fix: "Use --env sandbox, or a certificate for Sandbox & Production.",
        plainly: "Use the sandbox, or a certificate for Sandbox & Production.",
        clue: .service(.production)),
      Cause(
        "The certificate is for production only, but this is the sandbox.",
        fix: "Use --env production, or a certificate for Sandbox & Production.",
        plainly: "Use production, or a certificate for Sandbox & Production.",
        clue: .service(.sandbox)),
    ],
    .badEnvironmentKey: keyOfOtherEnvironment,
    .badEnvironmentKeyID: keyOfOtherEnvironment,
    .invalidPushType: [
      Cause(
        "The topic has another push type's suffix, or lacks its own.",
        fix: "Use --bundle-id and --type; fanfare adds the suffix.",
        plainly: "Give the bundle ID and the push type; the suffix is added.", clue: .foreignSuffix),
      Cause(
        "A channel takes only pushes of type \(PushType.liveactivity).",
        fix: "Omit --type, or send the push to devices.",
        plainly: "Make it a Live Activity, or send the push to devices.", clue: .broadcast),
      Cause(
        "The push type is misspelled.",
        fix: "See 'fanfare explain push types' for the known types.",
        plainly: "Use one of the known types."),
    ],
    .unregistered: [
      Cause(
        "The app was removed from the device, or the user turned notifications off permanently.",
        fix: "Stop sending to this token until the app registers it again."),
      Cause(
        "The token is outdated; the app has registered again since.",
        fix: "Keep only the newest token of each installation."),
      Cause(
        "The Live Activity has ended.", fix: "Discard the token when its activity ends.",
        clue: .pushType(.liveactivity)),
    ],
    .badExpirationDate: [
      Cause(
        "The channel stores nothing, and the expiration is not 0.",
        fix: "Omit --expiration, or create a channel with --store.",
        plainly: "Omit the expiration, or create a channel that stores.", clue: .broadcast),
      Cause(
        "The expiration is not a time.", fix: "Use 0 or whole seconds since 1970."),
    ],
    .channelNotRegistered: [
      Cause(
        "The channel is in the sandbox, but this is production.",
        fix: "Send it to the sandbox: --env sandbox.",
        plainly: "Send it to the sandbox.", clue: .service(.production)),
      Cause(
        "The channel is in production, but this is the sandbox.",
        fix: "Send it to production: --env production.",
        plainly: "Send it to production.", clue: .service(.sandbox)),
      Cause(
        "The channel was deleted, or belongs to another app.",
        fix: "List the app's channels: 'fanfare channel list'.",
        plainly: "List the app's channels."),
    ],
    .tooManyRequests: [
      Cause(
        "Too many pushes were sent to this channel in a short time.",
        fix: "Wait, then send fewer; APNs takes more for a channel that stores nothing.",
        clue: .broadcast),
      Cause(
        "Too many pushes were sent to this device in a short time.",
        fix: "Wait, then send fewer; with a collapse ID, the last one replaces the others."),
      Cause(
        "A list contains the same device token many times.",
        fix: "Keep --duplicates at its default, 'first'.",
        plainly: "Send once to each device token."),
    ],
    .missingProviderToken: [
      Cause(
        "The request had no authorization header, as one by curl that names none.",
        fix: "Add the header 'authorization: bearer TOKEN'; 'fanfare token' prints a TOKEN.",
        plainly: "Add the header 'authorization: bearer TOKEN'."),
      Cause(
        "A proxy removed the authorization header.",
        fix: "Compare with a connection that bypasses it.", clue: .providerToken),
      Cause(
        "No client certificate was presented; its file has no private key.",
        fix: "Export the certificate and key together."),
    ],
  ]

  private static let keyOfOtherEnvironment: [Cause] = [
    Cause(
      "The key is limited to the sandbox.",
      fix: "Use a production key, or --env sandbox.",
      plainly: "Use a production key, or the sandbox.",
      clue: .service(.production)),
    Cause(
      "The key is limited to production.",
      fix: "Use a sandbox key, or --env production.",
      plainly: "Use a sandbox key, or production.", clue: .service(.sandbox)),
  ]
}
