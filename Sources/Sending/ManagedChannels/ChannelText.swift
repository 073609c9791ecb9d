internal import APNS
internal import History
internal import JSONText
package import Reporting

// A channel as commands print it.
extension ChannelEntry {
  /// What JSON holds of it.
  package var json: [Report.Part] {
    [
      .json("channel", .text(id.text)), .json("bundleID", .text(app.text)),
      .json("environment", .text(server)), .json("storagePolicy", .number(policy?.rawValue)),
      .json("createdAt", .number(created)), .json("requestID", .text(requestID?.description)),
    ]
  }

  /// A row of 'channel list'.
  ///
  /// - Parameter isPlaced: whether the app and where the channel exists have columns.
  package func row(isPlaced: Bool) -> [Report.Part] {
    let place: [Report.Part] = [
      .text("bundle ID", StyledText(app.text)), .text("environment", StyledText(server)),
    ]
    return [.text("channel", .verbatim(id.text))] + (isPlaced ? place : []) + [
      .text("stores", StyledText(policy?.words ?? "-")),
      .text("created", created.map(moment) ?? "-"),
    ] + json
  }

  /// The rows of 'channel show'.
  package var facts: [Report.Part] {
    [
      .text("channel", .verbatim(id.text)), .text("bundle ID", StyledText(app.text)),
      .text("environment", StyledText(server)),
      .text("stores", StyledText(policy.map { "\($0.words) (policy \($0.rawValue))" } ?? "-")),
      .text("created", created.map(moment)),
      .text("request ID", requestID.map { .verbatim($0.description) }),
    ] + json
  }
}

extension StoragePolicy {
  /// What a channel stores, in a word or two.
  package var words: String {
    switch self {
    case .nothing: "nothing"
    case .latest: "the latest push"
    }
  }
}
