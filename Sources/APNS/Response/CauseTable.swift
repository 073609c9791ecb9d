extension Reason {
  /// The reasons that more than one thing can bring about. What is met most often stands first; the
  /// order comes from the trouble that users of many senders report.
  static let causeTable: [Reason: [Cause]] = [
    .badDeviceToken: [
      Cause(
        "The token is of a development build, and this is production.",
        fix: "Send it to the sandbox: --env sandbox.", clue: .service(.production)),
      Cause(
        "The token is of a TestFlight, Ad Hoc or App Store build, and this is the sandbox.",
        fix: "Send it to production: --env production.", clue: .service(.sandbox)),
      Cause(
        "The token is a simulator's, and simulators are known to the sandbox only.",
        fix: "Send it to the sandbox: --env sandbox.", clue: .longToken),
      Cause(
        "The token is for another kind of push: PushKit, Live Activity and app tokens differ.",
        fix: "Use the token that this push type's own registration gave.",
        clue: .ownToken),
      Cause(
        "The token was cut off or changed on its way to here.",
        fix: "Compare it with what the app logs: two hexadecimal digits for each byte."),
    ],
    .deviceTokenNotForTopic: [
      Cause(
        "The topic has the suffix of another push type, or lacks its own.",
        fix: "Give --bundle-id and --type, and let the suffix be added.", clue: .foreignSuffix),
      Cause(
        "The token is for another kind of push of the same app.",
        fix: "Use the token that this push type's own registration gave.",
        clue: .ownToken),
      Cause(
        "The token belongs to another app: its release and debug builds may have two bundle ids.",
        fix: "Compare the bundle id with the app that registered the token."),
    ],
    .topicDisallowed: [
      Cause(
        "The topic has the suffix of another push type, or lacks its own.",
        fix: "Give --bundle-id and --type, and let the suffix be added.", clue: .foreignSuffix),
      Cause(
        "The key belongs to another team than the app, or is limited to other topics.",
        fix: "Look the key up in the developer portal: its team, and its list of topics."),
      Cause(
        "The app was added to the team or to the key after this connection was opened.",
        fix: "Send it again: a new run opens a new connection."),
      Cause("The bundle id is misspelt.", fix: "Compare it with the app's target in Xcode."),
    ],
    .invalidProviderToken: [
      Cause(
        "Key id and team id are swapped, or one of them is another key's.",
        fix: "The key id stands in the name AuthKey_KEYID.p8; the team id under Membership."),
      Cause(
        "The key was revoked, or is the key of another service than APNs.",
        fix: "Look the key up in the developer portal: it must list Apple Push Notifications."),
      Cause(
        "The key is new: it may take hours before APNs knows it.",
        fix: "Wait, and try again."),
      Cause("This machine's clock is ahead.", fix: "Set the clock; see 'date -u'."),
    ],
    .expiredProviderToken: [
      Cause(
        "This machine's clock is behind: a token made now looks more than an hour old.",
        fix: "Set the clock; see 'date -u'.", clue: .freshProviderToken),
      Cause(
        "The token was made more than an hour ago.",
        fix: "Send it again: a new one is made at 50 minutes of age."),
    ],
    .tooManyProviderTokenUpdates: [
      Cause(
        "Several processes or machines sign tokens of their own with one key.",
        fix: "Keep to one token for at least 20 minutes; see 'fanfare token'."),
      Cause(
        "A script starts the sender for each push.",
        fix: "Give all device tokens to one run: --to is repeatable, --tokens takes a list."),
    ],
    .badCertificateEnvironment: [
      Cause(
        "The certificate is for the sandbox only, and this is production.",
        fix: "Send to the sandbox, --env sandbox, or use a certificate for Sandbox & Production.",
        clue: .service(.production)),
      Cause(
        "The certificate is for production only, and this is the sandbox.",
        fix: "Send to production, --env production, or use one for Sandbox & Production.",
        clue: .service(.sandbox)),
    ],
    .badEnvironmentKey: keyOfOtherEnvironment,
    .badEnvironmentKeyID: keyOfOtherEnvironment,
    .invalidPushType: [
      Cause(
        "The topic has the suffix of another push type, or lacks its own.",
        fix: "Give --bundle-id and --type, and let the suffix be added.", clue: .foreignSuffix),
      Cause("The push type is misspelt.", fix: "See 'fanfare explain' for the known types."),
    ],
    .unregistered: [
      Cause(
        "The app was removed from the device, or its user switched notifications off for good.",
        fix: "Stop sending to this token until the app reports it again."),
      Cause(
        "The token is an earlier one: the app has registered anew since.",
        fix: "Keep the newest token of each installation."),
      Cause(
        "The Live Activity has ended.", fix: "Drop the token with its activity.",
        clue: .pushType(.liveactivity)),
    ],
    .tooManyRequests: [
      Cause(
        "Too many pushes went to this one device in a short time.",
        fix: "Wait, then send fewer; a collapse id lets the last one stand for all."),
      Cause(
        "A list holds the same device token many times.",
        fix: "Leave --duplicates at 'first'."),
    ],
    .missingProviderToken: [
      Cause(
        "A proxy on the way took the authorization header out.",
        fix: "Compare with a connection that does not go through it."),
      Cause(
        "A client certificate was not presented: its file has no private key.",
        fix: "Export certificate and key together."),
    ],
  ]

  private static let keyOfOtherEnvironment: [Cause] = [
    Cause(
      "The key is limited to the sandbox.",
      fix: "Use a production key, or send to the sandbox: --env sandbox.",
      clue: .service(.production)),
    Cause(
      "The key is limited to production.",
      fix: "Use a sandbox key, or send to production: --env production.", clue: .service(.sandbox)),
  ]
}
