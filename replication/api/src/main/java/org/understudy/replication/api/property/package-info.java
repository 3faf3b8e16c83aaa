/** How the state object of a WS-Resource says what its resource properties are (WS-ResourceProperties 1.2). JDK only. */
package org.understudy.replication.api.property;
