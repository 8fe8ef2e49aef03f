// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

class ResultsOnJettyTest extends ResultsContract {

  @Override
  WebServer.Starter server() {
    return JettyServer::start;
  }
}
