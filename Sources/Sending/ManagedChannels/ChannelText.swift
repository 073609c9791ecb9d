internal import APNS
package import History
package import JSONText
package import Reporting

// A channel in the output of commands.
extension ChannelEntry: JSONDescribed {
  package static let fields: [JSONField<Self>] =
    place + [
      .always(
        "storagePolicy",
        "What it stores: 0 nothing, 1 the latest push; null if that is not known."
      ) { $0.policy?.rawValue },
      .always(
        "createdAt",
        "When it was created from here, in milliseconds since 1970; null if it was not."
      ) { $0.created },
      .always("requestID", "The apns-request-id of its creation from here.") {
        $0.requestID?.description
      },
    ]

  package static let place: [JSONField<Self>] = [
    .always("channel", "The channel's ID.") { $0.id.text },
    .always("bundleID", "The app that it belongs to.") { $0.app.text },
    .always("environment", "The environment that it exists in, or the server's URL.") {
      $0.server
    },
  ]

  /// A row of 'channel list'.
  ///
  /// - Parameter isPlaced: whether there are columns for app and server.
  package func row(isPlaced: Bool) -> [Report.Part] {
    let place: [Report.Part] = [
      .text("bundle ID", StyledText(app.text)), .text("environment", StyledText(server)),
    ]
    return [.text("channel", .verbatim(id.text))] + (isPlaced ? place : []) + [
      .text("stores", StyledText(policy?.words ?? "-")),
      .text("created", created.map(moment) ?? "-"),
    ] + parts
  }

  /// The rows of 'channel show', for people.
  package var facts: [Report.Part] {
    [
      .text("channel", .verbatim(id.text)), .text("bundle ID", StyledText(app.text)),
      .text("environment", StyledText(server)),
      .text("stores", StyledText(policy.map { "\($0.words) (policy \($0.rawValue))" } ?? "-")),
      .text("created", created.map(moment)),
      .text("request ID", requestID.map { .verbatim($0.description) }),
    ]
  }
}

extension StoragePolicy {
  /// The storage policy in a word or two.
  package var words: String {
    switch self {
    case .nothing: "nothing"
    case .latest: "the latest push"
    }
  }
}
