package dev.hotstate.monitors.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {
    private static final AddressRules RULES = new AddressRules(List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "::",
                "169.254.169.254",
                "169.254.0.1",
                "fe80::1",
                "febf::1",
                "fd00:ec2::254",
                "100.100.100.200",
                "192.0.0.192",
                "168.63.129.16",
                "224.0.0.1",
                "239.255.255.255",
                "255.255.255.255",
                "ff02::1",
                "::ffff:169.254.169.254",
                "::ffff:a9fe:a9fe",
                "::169.254.169.254",
                "64:ff9b::169.254.169.254",
                "2002:a9fe:a9fe::1"
            })
    void whatAnswersOnlyBecauseOfWhereWeStandIsBanned(String address) {
        assertThat(RULES.permit(address(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "::1",
                "10.0.0.1",
                "172.16.0.1",
                "192.168.1.1",
                "100.64.0.1",
                "169.253.255.255",
                "169.255.0.0",
                "93.184.216.34",
                "2001:db8::1",
                "fd00::1",
                "fec0::1",
                "::ffff:10.0.0.1",
                "64:ff9b::8.8.8.8",
                "2002:808:808::1"
            })
    void whatPeopleMonitorIsAllowed(String address) {
        assertThat(RULES.permit(address(address))).isTrue();
    }

    @Test
    void theConfigurationMayAllowSomeOfIt() {
        var rules = new AddressRules(List.of(Cidr.parse("169.254.20.0/24"), Cidr.parse("fe80::1")));
        assertThat(rules.permit(address("169.254.20.10"))).isTrue();
        assertThat(rules.permit(address("::ffff:169.254.20.10"))).isTrue();
        assertThat(rules.permit(address("169.254.169.254"))).isFalse();
        assertThat(rules.permit(address("fe80::1"))).isTrue();
        assertThat(rules.permit(address("fe80::2"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "169.254.169.254.", "1.2.3"})
    void oddFormsOfAddressesAreNoAddresses(String text) {
        assertThat(Addresses.literal(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "10.0.0.0/33", "fe80::/129", "10.0.0.0/", "10.0.0.0/-1", "example.com/8", "10.0.0.0/8/8"})
    void whatIsNoRangeIsRefused(String text) {
        assertThatThrownBy(() -> Cidr.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"" + text + "\" is not a range of addresses such as 10.0.0.0/8 or fe80::/10");
    }

    private static InetAddress address(String text) {
        return Addresses.literal(text).orElseThrow(() -> new AssertionError(text));
    }
}
