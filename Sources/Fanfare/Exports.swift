// The values of the protocol that this library shares with the program. A scoped re-export makes
// each of them, and nothing else of its module, part of the public face.

@_exported public import struct APNS.BrokenRules
@_exported public import struct APNS.BundleID
@_exported public import struct APNS.ChannelID
@_exported public import enum APNS.ChannelIDError
@_exported public import enum APNS.DeadToken
@_exported public import struct APNS.DeviceToken
@_exported public import enum APNS.DeviceTokenError
@_exported public import struct APNS.Expiration
@_exported public import enum APNS.Priority
@_exported public import struct APNS.Problem
@_exported public import struct APNS.PushType
@_exported public import struct APNS.Reason
@_exported public import enum APNS.ServerAddressError
@_exported public import struct APNS.Status
@_exported public import enum APNS.StoragePolicy
@_exported public import enum APNS.TopicError
@_exported public import struct JSONText.JSON
@_exported public import struct JSONText.JSONMember
@_exported public import struct JSONText.JSONNumber
@_exported public import struct JSONText.JSONObject
@_exported public import enum PushModel.ConnectionCount
@_exported public import enum PushModel.Outcome
@_exported public import struct PushModel.PushRate
