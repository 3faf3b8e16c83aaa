package org.understudy.boot;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.xml.ws.Endpoint;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** An application whose service reads from a database. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class StockApplication {
  /**
   * The pool of connections.
   *
   * @param eager whether it needs the database when it is made
   */
  @Bean
  DataSource pool(@Value("${pool.url}") String url, @Value("${pool.eager}") boolean eager) {
    HikariConfig settings = eager ? new HikariConfig() : new HikariDataSource();
    settings.setJdbcUrl(url);
    settings.setUsername("sa");
    settings.setPassword("");
    settings.setConnectionTimeout(250);
    settings.setMinimumIdle(0);
    return eager ? new HikariDataSource(settings) : (HikariDataSource) settings;
  }

  @Bean
  Stock stock(DataSource pool) {
    return new Stock(pool);
  }

  @Bean
  Endpoint endpoint(Bus bus, Stock stock) {
    EndpointImpl endpoint = new EndpointImpl(bus, stock);
    endpoint.publish("/stock");
    return endpoint;
  }

  /** A service that reads the price from a database, and keeps the number of orders itself. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:stock", serviceName = "Stock", portName = "StockPort")
  public static class Stock {
    private final DataSource pool;

    @ReplicatedState private int orders;

    Stock(DataSource pool) {
      this.pool = pool;
    }

    public String order(@WebParam(name = "count") int count) {
      int price = price();
      orders++;
      return "order " + orders + " for " + price * count;
    }

    private int price() {
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("SELECT 7")) {
        result.next();
        return result.getInt(1);
      } catch (SQLException e) {
        throw new IllegalStateException("The database cannot be reached.", e);
      }
    }
  }
}
