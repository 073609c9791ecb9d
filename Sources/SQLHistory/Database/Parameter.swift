/// A value for a statement. It has a type also when it is NULL, so that statements need no casts.
package enum Parameter: Hashable, Sendable {
  /// NULL of whatever type the database finds.
  case null
  case int64(Int64?)
  case text(String?)
  case bytes([UInt8]?)
  /// Numbers for ``Dialect/idIsAmong``.
  case numbers([Int64])
}
