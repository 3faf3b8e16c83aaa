package org.understudy.wsat;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.coordinator.TransactionReaper;
import com.arjuna.ats.arjuna.objectstore.StoreManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.arjuna.utils.UuidProcessId;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import com.arjuna.mwlabs.wsas.activity.ReaperThread;
import com.arjuna.mwlabs.wscf11.model.twophase.arjunacore.TwoPhaseHLSImple;
import com.arjuna.services.framework.task.TaskManager;
import com.arjuna.webservices.util.TransportTimer;
import com.arjuna.webservices11.wsat.processors.ParticipantProcessor;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jboss.jbossts.XTSService;
import org.jboss.jbossts.xts.environment.WSCEnvironmentBean;
import org.jboss.jbossts.xts.environment.WSCFEnvironmentBean;
import org.jboss.jbossts.xts.environment.WSTEnvironmentBean;
import org.jboss.jbossts.xts.environment.XTSPropertyManager;
import org.jboss.jbossts.xts.initialisation.CoordinatorSideInitialisation;
import org.jboss.jbossts.xts.initialisation.ParticipantSideInitialisation;
import org.jboss.jbossts.xts.recovery.participant.at.ATParticipantRecoveryModule;
import org.jboss.jbossts.xts.recovery.participant.at.XTSATRecoveryManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.WsatSettings;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;
import org.understudy.wsat.addressing.AcceptanceTimeout;
import org.understudy.wsat.coordinator.CoordinatorGuard;
import org.understudy.wsat.coordinator.DecisionRecovery;
import org.understudy.wsat.coordinator.LimitedContexts;
import org.understudy.wsat.participant.ParticipantDispatch;
import org.understudy.wsat.participant.Registrations;
import org.understudy.wsat.store.GuardedRecoveryManager;
import org.understudy.wsat.store.SerializationFreeStore;

/**
 * Narayana's transaction service. Narayana keeps it in static fields, so there is one for each class loader, which in Tomcat is one for
 * each web application with its own copy of the jars. Opens no port. Thread-safe.
 */
final class TransactionService {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionService.class);
  /** Seconds between the two looks at a transaction after which its recovery begins; it may end by itself meanwhile. */
  private static final int BACKOFF_S = 1;
  /** The threads that process messages. */
  private static final int WORKERS = 10;

  private final WsatSettings settings;
  private final URI own;
  private final XTSService service = new XTSService();
  private final int self;
  private final IntFunction<String> participants;
  private final Registrations registrations;
  /** Locked while it runs; null before and after. */
  private FileChannel lock;
  private ScheduledThreadPoolExecutor scans;

  private ParticipantDispatch dispatch;
  /** Null without the role of a coordinator. */
  private CoordinatorGuard guard;

  /**
   * @param own the address of the web application at which coordinators and participants reach it
   * @param self the number of this replica
   * @param participants the address of each replica's ParticipantService
   * @param allowed whether this server may send to an address that a message names
   */
  TransactionService(WsatSettings settings, URI own, int self, IntFunction<String> participants, Predicate<String> allowed) {
    this.settings = settings;
    this.own = own;
    this.self = self;
    this.participants = participants;
    this.registrations = new Registrations(allowed, participants);
  }

  /**
   * Starts it. Call it when the endpoints are published, because recovery begins at once.
   *
   * @throws ServletException when the directory cannot be used, or Narayana does not start; nothing of it runs then
   */
  synchronized void start() throws ServletException {
    try {
      lock = lock(settings.directory());
    } catch (IOException e) {
      throw new ServletException("WS-AtomicTransaction cannot use the directory " + settings.directory() + ": " + e + ".", e);
    }
    boolean started = false;
    try {
      startNarayana();
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /** Another web application there would finish or drop the transactions of this one. */
  private static FileChannel lock(Path directory) throws IOException {
    Files.createDirectories(directory);
    FileChannel channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      LOG.debug("The web application that has the directory {} is in this process.", directory, e);
    }
    if (lock == null) {
      channel.close();
      throw new IOException("it belongs to a running web application; give each one its own (understudy.wsat.directory)");
    }
    return channel;
  }

  private void startNarayana() throws ServletException {
    SerializationFreeStore store;
    try {
      configure();
      store = (SerializationFreeStore) StoreManager.getRecoveryStore();
      store.open();
      if (settings.coordinator()) {
        guard = new CoordinatorGuard(settings.directory(), Endpoints.COORDINATOR + "/", settings.tasks(), store::isUnreadableDecision);
        guard.open();
      }
      RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT).initialize();
      XTSATRecoveryManager.setRecoveryManager(new GuardedRecoveryManager(store));
      service.start();
    } catch (Exception e) { // As Narayana declares it.
      throw new ServletException("Narayana's transaction service does not start: " + e + ".", e);
    }
    // A message does not wait behind one that blocks while there is another worker. The service resets earlier settings.
    TaskManager.getManager().setMaximumWorkerCount(WORKERS);
    TaskManager.getManager().setMinimumWorkerCount(WORKERS);
    if (guard != null) {
      guard.start();
    }
    dispatch =
        new ParticipantDispatch(
            ParticipantProcessor.getProcessor(), store::hasUnreadableVote, self, participants, settings.timeout(), settings.recovery());
    dispatch.start();
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-wsat-recovery-"));
    long period = settings.recovery().toMillis();
    timer.scheduleWithFixedDelay(
        new RepeatedTask("Recovery of transactions", () -> RecoveryManager.manager().scan()), 0, period, TimeUnit.MILLISECONDS);
    scans = timer;
    registrations.open();
  }

  private void configure() throws CoreEnvironmentBeanException {
    String directory = settings.directory().toAbsolutePath().toString();
    CoreEnvironmentBean core = arjPropertyManager.getCoreEnvironmentBean();
    core.setNodeIdentifier(nodeIdentifier());
    core.setVarDir(directory);
    // Not the operating system's: one process can hold several web applications, each with a store of its own.
    core.setProcessImplementationClassName(UuidProcessId.class.getName());
    CoordinatorEnvironmentBean coordinator = arjPropertyManager.getCoordinatorEnvironmentBean();
    // It would open a port.
    coordinator.setTransactionStatusManagerEnable(false);
    for (String store : new String[] {null, "stateStore", "communicationStore"}) {
      ObjectStoreEnvironmentBean bean = BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store);
      bean.setObjectStoreDir(directory);
      bean.setObjectStoreType(SerializationFreeStore.class.getName());
      bean.setObjectStoreSync(true);
    }
    RecoveryEnvironmentBean scan = recoveryPropertyManager.getRecoveryEnvironmentBean();
    scan.setRecoveryModuleClassNames(List.of());
    scan.setExpiryScannerClassNames(List.of());
    scan.setRecoveryActivatorClassNames(List.of());
    scan.setRecoveryListener(false);
    scan.setRecoveryBackoffPeriod(BACKOFF_S);
    configureEndpoints();
  }

  private void configureEndpoints() {
    String path = own.getPath() == null ? "" : own.getPath().replaceFirst("/$", "");
    boolean secure = "https".equalsIgnoreCase(own.getScheme());
    int port = own.getPort() >= 0 ? own.getPort() : secure ? 443 : 80;
    WSCEnvironmentBean messages = XTSPropertyManager.getWSCEnvironmentBean();
    messages.setBindAddress11(own.getHost());
    messages.setBindPort11(port);
    messages.setBindPortSecure11(port);
    messages.setServiceURLPath(path + Endpoints.COORDINATION);
    messages.setCoordinatorURL11(own + Endpoints.COORDINATION + "/ActivationService");
    messages.setUseAsynchronousRequest(WSCEnvironmentBean.NO_ASYNC_REQUEST);
    messages.setTransportTimeout((int) settings.timeout().toMillis());
    AcceptanceTimeout.use(settings.timeout());
    WSTEnvironmentBean transactions = XTSPropertyManager.getWSTEnvironmentBean();
    transactions.setCoordinatorServiceURLPath(path + Endpoints.COORDINATOR);
    transactions.setParticipantServiceURLPath(path + Endpoints.PARTICIPANT);
    transactions.setClientServiceURLPath(path + Endpoints.CLIENT);
    transactions.setUserBusinessActivity11(null);
    transactions.setBusinessActivityManager11(null);
    WSCFEnvironmentBean protocols = XTSPropertyManager.getWSCFEnvironmentBean();
    protocols.setProtocolImplementations(List.of(TwoPhaseHLSImple.class.getName(), LimitedContexts.class.getName()));
    org.jboss.jbossts.xts.environment.RecoveryEnvironmentBean modules = XTSPropertyManager.getRecoveryEnvironmentBean();
    modules.setCoordinatorRecoveryModules(List.of(DecisionRecovery.class.getName()));
    modules.setParticipantRecoveryModules(List.of(ATParticipantRecoveryModule.class.getName()));
    String participant = ParticipantSideInitialisation.class.getName();
    // In this order.
    XTSPropertyManager.getXTSEnvironmentBean().setXtsInitialisations(
        settings.coordinator() ? List.of(participant, CoordinatorSideInitialisation.class.getName()) : List.of(participant));
  }

  /** Narayana accepts 28 bytes. */
  private String nodeIdentifier() {
    return Integer.toHexString(own.toString().hashCode());
  }

  /** Ends it and its threads. Prepared transactions are recovered after the next start. Idempotent. */
  synchronized void close() {
    if (lock == null) {
      return;
    }
    registrations.close();
    if (dispatch != null) {
      dispatch.close();
      dispatch = null;
    }
    if (guard != null) {
      guard.close();
      guard = null;
    }
    if (scans != null) {
      scans.shutdownNow();
      Threads.join("The scans of the recovery", scans);
      scans = null;
    }
    end("service", service::stop);
    end("recovery", () -> RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT).terminate(true));
    end("reaper", () -> TransactionReaper.terminate(false));
    end("timer", () -> TransportTimer.getTimer().cancel());
    endReaper();
    end("lock", lock::close);
    lock = null;
  }

  /** What one part throws must not keep the others. */
  private static void end(String part, Ending ending) {
    try {
      ending.run();
    } catch (Exception | LinkageError e) { // As Narayana declares it.
      LOG.warn("The {} of Narayana's transaction service did not end. Restart the server if its threads remain.", part, e);
    }
  }

  /** Ends a part of the service. */
  private interface Ending {
    void run() throws Exception;
  }

  /**
   * Waits for the thread that aborts expired transactions, which Narayana only asks to end. While it waits for a participant's answer
   * nothing ends it but {@code understudy.wsat.timeout.s}.
   */
  private static void endReaper() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getClass() == ReaperThread.class) {
        Threads.join(thread);
      }
    }
  }
}
