internal import WebServer

extension InboxAPI: WebAPI {
  static let description = "docs/inbox-api.json"

  /// In bytes: enough for a script, or for the devices of a large test.
  static let bodyLimit = 4 << 20

  /// All routes; `description` describes the same ones.
  static let routes: [Route] = [
    Route("GET", "pushes") { api, call throws(HTTPRefusal) in try api.pushes(call) },
    Route("DELETE", "pushes") { api, call throws(HTTPRefusal) in try api.clear(call) },
    Route("GET", "pushes/{id}") { api, call throws(HTTPRefusal) in try api.push(call) },
    Route("GET", "wait") { api, call throws(HTTPRefusal) in try api.wait(call) },
    Route("GET", "events") { api, call throws(HTTPRefusal) in try api.events(call) },
    Route("GET", "script") { api, call throws(HTTPRefusal) in try api.script(call) },
    Route("PUT", "script") { api, call throws(HTTPRefusal) in try api.setScript(call) },
    Route("PUT", "clock") { api, call throws(HTTPRefusal) in try api.setClock(call) },
    Route("GET", "devices") { api, call throws(HTTPRefusal) in try api.devices(call) },
    Route("PUT", "devices") { api, call throws(HTTPRefusal) in try api.setDevices(call) },
    Route("DELETE", "devices") { api, call throws(HTTPRefusal) in try api.forgetDevices(call) },
    Route("GET", "channels") { api, call throws(HTTPRefusal) in try api.channels(call) },
    Route("PUT", "channels") { api, call throws(HTTPRefusal) in try api.setChannels(call) },
    Route("POST", "connections/goaway") { api, call throws(HTTPRefusal) in try api.goAway(call) },
    Route("POST", "connections/close") { api, call throws(HTTPRefusal) in try api.close(call) },
    Route("GET", "health") { api, call throws(HTTPRefusal) in try api.health(call) },
  ]
}
