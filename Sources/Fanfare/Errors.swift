internal import APNS

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An error whose `localizedDescription`, which loggers and web frameworks show, is the sentence that
/// printing shows.
protocol SpokenError: LocalizedError, CustomStringConvertible {}

extension SpokenError {
  /// The error in a sentence.
  public var errorDescription: String? { description }
}

extension BrokenRules: SpokenError {}
extension ChannelIDError: SpokenError {}
extension CredentialsError: SpokenError {}
extension DeviceTokenError: SpokenError {}
extension Obstacle: SpokenError {}
extension PushClient.ChannelError: SpokenError {}
extension ProxyError: SpokenError {}
extension ServerAddressError: SpokenError {}
extension SendResults.IterationError: SpokenError {}
extension TopicError: SpokenError {}
