package org.understudy.spring;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.xml.ws.Endpoint;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.spring.SpringBus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** Services behind Spring's proxies for transactions: one of an interface, one a generated subclass. */
@Configuration
@EnableTransactionManagement
public class ProxiedConfiguration {
  static final AtomicInteger COMMITTED = new AtomicInteger();

  @Bean(name = Bus.DEFAULT_BUS_ID)
  SpringBus cxf() {
    return new SpringBus();
  }

  @Bean
  PlatformTransactionManager transactions() {
    return new CountingTransactions();
  }

  @Bean
  Tally ofInterface() {
    return new TallyOfInterface();
  }

  @Bean
  TallyOfClass ofClass() {
    return new TallyOfClass();
  }

  @Bean
  Endpoint endpointOfInterface(Bus bus, Tally ofInterface) {
    return published(bus, ofInterface, "/interface");
  }

  @Bean
  Endpoint endpointOfClass(Bus bus, TallyOfClass ofClass) {
    return published(bus, ofClass, "/class");
  }

  private static Endpoint published(Bus bus, Object proxy, String address) {
    if (proxy.getClass() == TallyOfInterface.class || proxy.getClass() == TallyOfClass.class) {
      throw new IllegalStateException("Spring has made no proxy.");
    }
    EndpointImpl endpoint = new EndpointImpl(bus, proxy);
    endpoint.publish(address);
    return endpoint;
  }

  /** The interface of a service. */
  @WebService(targetNamespace = "urn:tally")
  public interface Tally {
    int add(@WebParam(name = "more") int more);
  }

  /** Behind a proxy of its interface. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:tally", endpointInterface = "org.understudy.spring.ProxiedConfiguration$Tally")
  public static class TallyOfInterface implements Tally {
    @ReplicatedState private int sum;

    @Transactional
    @Override
    public int add(int more) {
      sum += more;
      return sum;
    }
  }

  /** Behind a generated subclass. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:tally")
  public static class TallyOfClass {
    @ReplicatedState private int sum;

    @Transactional
    public int add(@WebParam(name = "more") int more) {
      sum += more;
      return sum;
    }
  }

  /** Counts commits. */
  private static final class CountingTransactions extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1L;

    @Override
    protected Object doGetTransaction() {
      return this;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      COMMITTED.incrementAndGet();
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }
}
