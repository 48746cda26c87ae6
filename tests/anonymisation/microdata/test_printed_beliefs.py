from anonymisation.microdata.attackers import attacker_audit, attacker_read
from anonymisation.microdata.printed_beliefs import belief_line
from privacy.sdc.requirements import Requirement
from tests.anonymisation.microdata.test_attackers import BY_REGION, CLASS, TABLE


def test_the_line_states_records_and_breaches() -> None:
    attacker = attacker_read("flu", BY_REGION)
    found = attacker_audit(attacker, TABLE, CLASS, Requirement(k=2, rho1=0.2, rho2=0.3))
    assert ": 4 records, 2 breached (0.2 to 0.3)" in belief_line("flu", found)
