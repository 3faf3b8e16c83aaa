package org.understudy.session;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.session.ManagerBase;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.session.member.MemberSettings;
import org.understudy.session.member.SettingsException;

/** The attributes of the element {@code Manager}. They are read when the web application starts. */
public abstract class ManagerAttributes extends ManagerBase {
  private static final long MAX_SESSIONS = 1_000_000;
  /** The part of the heap that bodies of requests may take. */
  private static final int HEAP_SHARES = 4;

  private String replica;
  private String peers;
  private String secret;
  private String directory;
  private String journal = "none";
  private String restart = "wait";
  private String group;
  private String strategy = "group";
  private int heartbeatMs = 100;
  private int suspectMs = 1000;
  private int duplicatesSeconds = 120;
  private int maxBody = 2_097_152;
  private int bodySeconds = 60;
  private long heldBytes;
  private int maxAnswer = 1_048_576;
  private long stateBytes = 134_217_728;
  private int maxSessions = -1;
  private int clientShare = 50;
  private String classes = "";
  private String identityHeaders = "Authorization,Accept,Accept-Language,Content-Type,Range,X-Requested-With";
  private String health = "/understudy/health";
  private String peerKeyStore;
  private String peerKeyStorePassword;
  private String peerTrustStore;
  private String peerTrustStorePassword;
  private String peersPlain = "refused";

  /** The number of this replica, from 1 to 255. */
  public final String getReplica() {
    return replica;
  }

  public final void setReplica(String replica) {
    this.replica = replica;
  }

  /** The addresses between replicas, as {@code 1=host:port,2=host:port}; the same at every replica. */
  public final String getPeers() {
    return peers;
  }

  public final void setPeers(String peers) {
    this.peers = peers;
  }

  /** At least 16 characters, the same at every replica. Authenticates replicas and cookies. */
  public final void setSecret(String secret) {
    this.secret = secret;
  }

  /** Where this replica keeps its membership record and its journal. Each replica of each web application has its own. */
  public final String getDirectory() {
    return directory;
  }

  public final void setDirectory(String directory) {
    this.directory = directory;
  }

  /**
   * {@code disk}: this replica keeps a journal in its directory, answers a request when its update is synced, and continues after a
   * restart. {@code none}: it has no sessions after a restart until another replica brings it up to date.
   */
  public final String getJournal() {
    return journal;
  }

  public final void setJournal(String journal) {
    this.journal = journal;
  }

  /**
   * What this replica does after a restart when no replica has the sessions. {@code wait}: it waits for one that has them. {@code
   * empty}: it agrees to start the group without sessions, which happens when all replicas do.
   */
  public final String getRestart() {
    return restart;
  }

  public final void setRestart(String restart) {
    this.restart = restart;
  }

  /** The name of the group; replicas with another name refuse each other. By default from the name of the web application. */
  public final String getGroup() {
    return group;
  }

  public final void setGroup(String group) {
    this.group = group;
  }

  /** The replication strategy: {@code group}, or {@code primary-backup}. */
  public final String getStrategy() {
    return strategy;
  }

  public final void setStrategy(String strategy) {
    this.strategy = strategy;
  }

  /** Milliseconds between two heartbeats. */
  public final int getHeartbeatMs() {
    return heartbeatMs;
  }

  public final void setHeartbeatMs(int heartbeatMs) {
    this.heartbeatMs = heartbeatMs;
  }

  /** Milliseconds of silence after which a replica is suspected. */
  public final int getSuspectMs() {
    return suspectMs;
  }

  public final void setSuspectMs(int suspectMs) {
    this.suspectMs = suspectMs;
  }

  /** Seconds for which a repeated request gets the stored answer. The same at every replica. */
  public final int getDuplicatesSeconds() {
    return duplicatesSeconds;
  }

  public final void setDuplicatesSeconds(int duplicatesSeconds) {
    this.duplicatesSeconds = duplicatesSeconds;
  }

  /** Bytes of a request's body. A longer one is refused with 413. */
  public final int getMaxBody() {
    return maxBody;
  }

  public final void setMaxBody(int maxBody) {
    this.maxBody = maxBody;
  }

  /** Seconds in which a request's body must arrive. A later one is refused with 408. */
  public final int getBodySeconds() {
    return bodySeconds;
  }

  public final void setBodySeconds(int bodySeconds) {
    this.bodySeconds = bodySeconds;
  }

  /**
   * Bytes that requests in progress hold at this replica, six for each byte of a body; a client has a quarter. 0: a quarter of the heap.
   */
  public final long getHeldBytes() {
    return heldBytes;
  }

  public final void setHeldBytes(long heldBytes) {
    this.heldBytes = heldBytes;
  }

  /** The limits of what requests in progress hold. */
  final LocalShares newShares() {
    long limit = heldBytes > 0 ? heldBytes : Runtime.getRuntime().maxMemory() / HEAP_SHARES;
    return new LocalShares("requests in progress hold %d bytes (heldBytes of the Manager element)", limit);
  }

  /** Bytes of an answer that is held back until the session is stable, and kept. The same at every replica. */
  public final int getMaxAnswer() {
    return maxAnswer;
  }

  public final void setMaxAnswer(int maxAnswer) {
    this.maxAnswer = maxAnswer;
  }

  /** Bytes of all sessions. Above it, requests that make a session grow are refused. */
  public final long getStateBytes() {
    return stateBytes;
  }

  public final void setStateBytes(long stateBytes) {
    this.stateBytes = stateBytes;
  }

  /**
   * Sessions in the group; negative for 1,000,000. A request that would create one more is refused. Not kept in Tomcat's field: its own
   * check would count a session that the request has ended, and would fail the web application.
   */
  @Override
  public final int getMaxActiveSessions() {
    return maxSessions;
  }

  @Override
  public final void setMaxActiveSessions(int max) {
    maxSessions = max;
  }

  /**
   * The percentage of the limits on what the group keeps (sessions, their bytes, identities of requests) that one client address may use,
   * from 1 to 100. The limits of one replica hold for the group.
   */
  public final int getClientShare() {
    return clientShare;
  }

  public final void setClientShare(int clientShare) {
    this.clientShare = clientShare;
  }

  /** More classes that may occur in attributes, comma between; {@code package.*} means the classes of a package. */
  public final String getClasses() {
    return classes;
  }

  public final void setClasses(String classes) {
    this.classes = classes;
  }

  /** The headers whose values make two requests different ones, comma between. The same at every replica. */
  public final String getIdentityHeaders() {
    return identityHeaders;
  }

  public final void setIdentityHeaders(String identityHeaders) {
    this.identityHeaders = identityHeaders;
  }

  /** The path in the web application below which {@code live} and {@code ready} report the replica's health. Empty: none. */
  public final String getHealth() {
    return health;
  }

  public final void setHealth(String health) {
    this.health = health;
  }

  /** Key store with this replica's certificate for connections between replicas. Null: no TLS. */
  public final String getPeerKeyStore() {
    return peerKeyStore;
  }

  public final void setPeerKeyStore(String peerKeyStore) {
    this.peerKeyStore = peerKeyStore;
  }

  /** The password of that key store. */
  public final void setPeerKeyStorePassword(String peerKeyStorePassword) {
    this.peerKeyStorePassword = peerKeyStorePassword;
  }

  /** Key store with the certificates of the other replicas. */
  public final String getPeerTrustStore() {
    return peerTrustStore;
  }

  public final void setPeerTrustStore(String peerTrustStore) {
    this.peerTrustStore = peerTrustStore;
  }

  /** The password of that key store. */
  public final void setPeerTrustStorePassword(String peerTrustStorePassword) {
    this.peerTrustStorePassword = peerTrustStorePassword;
  }

  /** {@code accepted}: replicas may connect without TLS on addresses that are not loopback addresses. */
  public final String getPeersPlain() {
    return peersPlain;
  }

  public final void setPeersPlain(String peersPlain) {
    this.peersPlain = peersPlain;
  }

  /** The classes of {@link #getClasses}. */
  final List<String> listedClasses() {
    return listed(classes);
  }

  /** The headers of {@link #getIdentityHeaders}, in one spelling and order. */
  final List<String> listedHeaders() {
    return listed(identityHeaders.toLowerCase(Locale.ROOT)).stream().sorted().distinct().toList();
  }

  private static List<String> listed(String names) {
    return Arrays.stream(names.split(",")).map(String::strip).filter(name -> !name.isEmpty()).toList();
  }

  /** The limit of {@link #getMaxActiveSessions} for replicated sessions. */
  final long maxSessionsOfGroup() {
    return maxSessions < 0 ? MAX_SESSIONS : maxSessions;
  }

  /** The settings of the replica. */
  final MemberSettings memberSettings(String named) throws LifecycleException, SettingsException {
    checkReplaced();
    MemberSettings.checkPath("health", health);
    MemberSettings.checkPercentage("clientShare", clientShare);
    MemberSettings.checkHeaders("identityHeaders", listedHeaders());
    return new MemberSettings(
        named, strategy, replica, peers, secret, directory, MemberSettings.has("journal", journal, "disk", "none"),
        MemberSettings.has("restart", restart, "empty", "wait"), Duration.ofMillis(heartbeatMs), Duration.ofMillis(suspectMs),
        Duration.ofSeconds(duplicatesSeconds), maxSessionsOfGroup(), stateBytes, maxAnswer,
        clientShare, tls(), "accepted".equals(peersPlain));
  }

  private void checkReplaced() throws SettingsException {
    MemberSettings.checkReplaced("replica", replica);
    MemberSettings.checkReplaced("peers", peers);
    MemberSettings.checkReplaced("secret", secret);
    MemberSettings.checkReplaced("directory", directory);
    MemberSettings.checkReplaced("journal", journal);
    MemberSettings.checkReplaced("restart", restart);
    MemberSettings.checkReplaced("group", group);
    MemberSettings.checkReplaced("strategy", strategy);
    MemberSettings.checkReplaced("classes", classes);
    MemberSettings.checkReplaced("health", health);
    MemberSettings.checkReplaced("identityHeaders", identityHeaders);
    MemberSettings.checkReplaced("peerKeyStore", peerKeyStore);
    MemberSettings.checkReplaced("peerKeyStorePassword", peerKeyStorePassword);
    MemberSettings.checkReplaced("peerTrustStore", peerTrustStore);
    MemberSettings.checkReplaced("peerTrustStorePassword", peerTrustStorePassword);
    MemberSettings.checkReplaced("peersPlain", peersPlain);
  }

  private PeerTls tls() throws LifecycleException {
    if (peerKeyStore == null && peerTrustStore == null) {
      return null;
    }
    if (peerKeyStore == null || peerTrustStore == null) {
      throw new LifecycleException("The Manager element needs both peerKeyStore and peerTrustStore.");
    }
    try {
      return PeerTls.of(
          Path.of(peerKeyStore), characters(peerKeyStorePassword), Path.of(peerTrustStore), characters(peerTrustStorePassword));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new LifecycleException(
          "The key stores " + peerKeyStore + " and " + peerTrustStore + " of the Manager element cannot be used: " + e + ".", e);
    }
  }

  private static char[] characters(String password) {
    return password == null ? null : password.toCharArray();
  }
}
