// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

class AsyncOnJettyTest extends AsyncContract {

  @Override
  WebServer.Starter server() {
    return JettyServer::start;
  }
}
