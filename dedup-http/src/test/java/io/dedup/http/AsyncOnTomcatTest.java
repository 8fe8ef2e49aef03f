// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

class AsyncOnTomcatTest extends AsyncContract {

  @Override
  WebServer.Starter server() {
    return TomcatServer::start;
  }
}
