/** How the state object of a WS-Resource declares its resource properties (WS-ResourceProperties 1.2). JDK only. */
package org.understudy.replication.api.property;
